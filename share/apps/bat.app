[app]
title=bat
program=bat
note=Where Debian calls it batcat, enable batcat.

[write]
template=bat.mustache
file=$XDG_CONFIG_HOME/bat/themes/themed.tmTheme
comment=<!-- -->
escape=html

[reload]
command=bat cache --build
timeout=60

[setup]
file=$XDG_CONFIG_HOME/bat/config
line=--theme=themed
