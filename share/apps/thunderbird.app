[app]
title=Thunderbird
program=thunderbird

[follows]
by=portal
