[app]
title=Xfce Terminal
program=xfce4-terminal
note=themed-apply sends the colours to open windows. A new window shows the colours of its profile for a moment.

[terminal]
process=xfce4-terminal
