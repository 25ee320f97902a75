[app]
title=bat
program=batcat
note=bat, as Debian calls it.

[write]
template=bat.mustache
file=$XDG_CONFIG_HOME/bat/themes/themed.tmTheme
comment=<!-- -->
escape=html

[reload]
command=batcat cache --build
timeout=60

[setup]
file=$XDG_CONFIG_HOME/bat/config
line=--theme=themed
