[app]
title=xterm
program=xterm
note=For the colours that a new window begins with, enable xresources too.

[terminal]
process=xterm
