[app]
title=fuzzel
program=fuzzel
version=fuzzel --version
note=fuzzel reads its colours when it starts. Before version 1.9, fuzzel cannot include files, so themed-apply writes the whole configuration file, unless you have a file of your own. To keep your own file for each side, move it away and use 'themectl app use fuzzel'.

[write whole]
template=fuzzel.mustache
file=$XDG_CONFIG_HOME/fuzzel/fuzzel.ini
for=<1.9

[write]
template=fuzzel.mustache
file=~/.config/fuzzel/themed.ini
for=>=1.9

[setup]
file=$XDG_CONFIG_HOME/fuzzel/fuzzel.ini
system=$XDG_CONFIG_DIRS/fuzzel/fuzzel.ini
system-line=[main]\ninclude={system}
line=[main]\ninclude=~/.config/fuzzel/themed.ini
or=include=~/.config/fuzzel/themed.ini
conflicts=colors
hidden-by=colors.*
includes=include
for=>=1.9
