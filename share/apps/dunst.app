[app]
title=dunst
program=dunst
version-command=dunst --version
note=Before version 1.12, dunst reads its colours only when it starts. If you start dunst with -conf, it does not read the file that themed-apply writes.

[write]
template=dunst.mustache
file=$XDG_CONFIG_HOME/dunst/dunstrc.d/90-themed.conf

[reload]
command=dunstctl reload
process=dunst
versions=>=1.12

[replaced]
files=$XDG_CONFIG_HOME/dunst/dunstrc
settings=*.background;*.foreground;*.frame_color;*.separator_color;*.highlight

# dunst reads these after the one that is written for it.
[hidden]
files=$XDG_CONFIG_HOME/dunst/dunstrc.d/*.conf
settings=*.background;*.foreground;*.frame_color
