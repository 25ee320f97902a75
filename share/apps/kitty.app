[app]
title=kitty
program=kitty
version=kitty --version
note=If a program sets the colours of a window, that window keeps them until the program resets them.

[write]
template=kitty.mustache
file=$XDG_CONFIG_HOME/kitty/themed.conf

[reload]
signal=USR1
process=kitty

[setup]
file=$XDG_CONFIG_HOME/kitty/kitty.conf
line=include themed.conf
hidden-by=background;foreground;color*;cursor;selection_background;selection_foreground
includes=include;globinclude

# From 0.38 these files win over kitty.conf.
[hidden]
files=$XDG_CONFIG_HOME/kitty/dark-theme.auto.conf;$XDG_CONFIG_HOME/kitty/light-theme.auto.conf;$XDG_CONFIG_HOME/kitty/no-preference-theme.auto.conf
for=>=0.38

# With it kitty reads another directory, and finds no file there that is written for it.
[hidden directory]
variables=KITTY_CONFIG_DIRECTORY

[follows]
by=portal
needs=the files dark-theme.auto.conf, light-theme.auto.conf and no-preference-theme.auto.conf beside kitty.conf
for=>=0.38
