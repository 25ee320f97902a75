[app]
title=Konsole
program=konsole
version=konsole --version
note=Konsole cannot reset its colours. Windows that are open when you disable this app keep them until you close the windows or change their profile.

[terminal]
process=konsole
sequences=basic

[follows]
by=portal
needs=a profile for each side (Sync profile with system theme)
for=>=26.08
