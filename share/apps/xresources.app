[app]
title=X resources
program=xrdb
needs-display=yes
note=This app sets the colours with which new windows of xterm, rxvt and other X programs start.

[write]
template=xresources.mustache
file=~/.Xresources.d/themed
comment=!

[reload]
command=xrdb -nocpp -merge {file}

[setup]
file=~/.Xresources
# X programs read ~/.Xdefaults only while nobody has loaded other resources.
new-file-hides=~/.Xdefaults
# Plasma gives a copy of the file in another directory to cpp, which knows no "~".
line=#include "{home}/.Xresources.d/themed"
comment=!
hidden-by=*background;*foreground;*color0;*color7;*color15
