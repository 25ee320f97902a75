[app]
title=Konsole
program=konsole
version-command=konsole --version
note=Konsole takes the colours of bold and faint text from its own colour scheme, so these can be hard to read on one of the two sides. It cannot reset its colours. When you disable this app, open windows keep the colours of the theme until you close them or change their profile.

[terminal]
process=konsole
sequences=basic

[follows]
by=portal
needs=a profile for light, a profile for dark, and the option Sync profile with system theme
versions=>=26.08
