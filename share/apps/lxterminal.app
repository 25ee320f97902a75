[app]
title=LXTerminal
program=lxterminal
note=themed-apply sends the colours to open windows. A new window shows the colours of its profile for a moment.

[terminal]
process=lxterminal
