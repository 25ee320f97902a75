[app]
title=delta
program=delta
note=It follows when it is started. It colours code by the terminal's sixteen colours.

[write]
template=delta.mustache
file=~/.config/delta/themed.gitconfig

[setup]
file=~/.gitconfig
instead=$XDG_CONFIG_HOME/git/config
line=[include] path = ~/.config/delta/themed.gitconfig
