[app]
title=MATE Terminal
program=mate-terminal
note=themed-apply sends the colours to open windows. A new window shows the colours of its profile for a moment.

[terminal]
process=mate-terminal
