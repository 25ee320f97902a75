[app]
title=Tilix
program=tilix
note=themed-apply sends the colours to open windows. A new window shows the colours of its profile for a moment.

[terminal]
process=tilix
