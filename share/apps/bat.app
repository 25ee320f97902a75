[app]
title=bat
# Debian calls it batcat.
program=bat;batcat

[write]
template=bat.mustache
file=$XDG_CONFIG_HOME/bat/themes/themed.tmTheme
comment=<!-- -->
escape=html

[reload]
command={program} cache --build
timeout=60

[setup]
file=$XDG_CONFIG_HOME/bat/config
line=--theme=themed
