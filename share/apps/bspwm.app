[app]
title=bspwm
program=bspwm
desktops=bspwm
note=Colours of borders.

[write]
template=bspwm.mustache
file=~/.config/bspwm/themed

[reload]
command=sh {file}
process=bspwm

[setup]
file=$XDG_CONFIG_HOME/bspwm/bspwmrc
line=[ ! -r ~/.config/bspwm/themed ] || . ~/.config/bspwm/themed
equivalent=. ~/.config/bspwm/themed
new-file-interpreter=/bin/sh
hidden-by=bspc config *_border_color *;bspc config *border_color=*
