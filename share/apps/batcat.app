[app]
title=bat
program=batcat
note=bat, as Debian calls it.

[write]
template=bat.mustache
file=~/.config/bat/themes/themed.tmTheme
comment=<!-- -->
escape=html

[reload]
command=batcat cache --build
timeout=60

[setup]
file=~/.config/bat/config
line=--theme=themed
