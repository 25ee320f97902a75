[app]
title=rxvt-unicode
program=urxvt;rxvt
note=For the colours that a new window begins with, enable xresources too.

[terminal]
process=urxvt;urxvtd;rxvt;rxvt-unicode
