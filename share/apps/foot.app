[app]
title=foot
program=foot
version=foot --version
note=Windows that are open are coloured by sequence; the file is for new ones. Colours of your own behind the line win there.

[write]
template=foot-1.23.mustache
file=~/.config/foot/themed.ini
for=>=1.23

[write old]
template=foot.mustache
file=~/.config/foot/themed.ini
for=<1.23

[terminal]
process=foot

[setup]
file=$XDG_CONFIG_HOME/foot/foot.ini
line=include=~/.config/foot/themed.ini
at=start
