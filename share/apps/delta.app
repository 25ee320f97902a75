[app]
title=delta
program=delta
note=delta reads its settings when it starts. It colours code with the sixteen colours of the terminal.

[write]
template=delta.mustache
file=~/.config/delta/themed.gitconfig

[setup]
# delta reads these, whatever GIT_CONFIG_GLOBAL says.
files=~/.gitconfig;$XDG_CONFIG_HOME/git/config
reads-all=yes
hidden-by=delta.syntax-theme;delta.light;delta.dark;delta.features;delta.minus-style;delta.plus-style
includes=include.path
line=[include] path = ~/.config/delta/themed.gitconfig

[hidden]
variables=DELTA_FEATURES
