[app]
title=Konsole
program=konsole
version=konsole --version
note=Konsole knows no sequence that takes colours back: what is open when this is disabled keeps them until it is closed, or has another profile.

[terminal]
process=konsole
sequences=basic

[follows]
by=portal
needs=a profile for each side (Sync profile with system theme)
for=>=26.08
