[app]
title=herbstluftwm
program=herbstluftwm
desktops=herbstluftwm
note=Colours of borders and titles.

[write]
template=herbstluftwm.mustache
file=~/.config/herbstluftwm/themed

[reload]
command=sh {file}
process=herbstluftwm

[setup]
file=$XDG_CONFIG_HOME/herbstluftwm/autostart
line=[ ! -r ~/.config/herbstluftwm/themed ] || . ~/.config/herbstluftwm/themed
equivalent=. ~/.config/herbstluftwm/themed
new-file-interpreter=/bin/sh
system-files=$XDG_CONFIG_DIRS/herbstluftwm/autostart
system-line=. {system}
needs-system-file=yes
