[app]
title=foot
program=foot
version-command=foot --version
note=themed-apply sends the colours to open windows; new windows read the file.

[write]
template=foot-1.26.mustache
file=~/.config/foot/themed.ini
versions=>=1.26

[write 1.23]
template=foot-1.23.mustache
file=~/.config/foot/themed.ini
versions=>=1.23 <1.26

[write old]
template=foot.mustache
file=~/.config/foot/themed.ini
versions=<1.23

[terminal]
process=foot

[setup]
optional=yes
file=$XDG_CONFIG_HOME/foot/foot.ini
system-files=$XDG_CONFIG_DIRS/foot/foot.ini
system-line=[main]\ninclude={system}
line=[main]\ninclude=~/.config/foot/themed.ini
equivalent=include=~/.config/foot/themed.ini
hidden-by=colors.background;colors.foreground;colors.regular*;colors.bright*;colors-dark.*;colors-light.*
includes=include
