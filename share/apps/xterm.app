[app]
title=xterm
program=xterm
note=Enable the app xresources as well, so that new windows start with the right colours.

[terminal]
process=xterm
