[app]
title=Tilix
program=tilix
note=It is built on VTE, and its open windows are coloured by sequence. A new window has the colours of its profile for a moment.

[terminal]
process=tilix
