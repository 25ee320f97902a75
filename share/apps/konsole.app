[app]
title=Konsole
program=konsole
note=Konsole knows no sequence that takes colours back: what is open when this is disabled keeps them until it is closed, or has another profile.

[terminal]
process=konsole
sequences=basic
