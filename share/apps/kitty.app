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
hidden-by=background;foreground;color*;cursor;selection_background;selection_foreground;include *theme*

[follows]
by=portal
needs=the files dark-theme.auto.conf, light-theme.auto.conf and no-preference-theme.auto.conf beside kitty.conf
for=>=0.38
