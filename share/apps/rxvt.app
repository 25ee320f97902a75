[app]
title=rxvt-unicode
program=urxvt;rxvt
note=Enable the app xresources as well, so that new windows start with the right colours.

[terminal]
process=urxvt;urxvtd;rxvt;rxvt-unicode
