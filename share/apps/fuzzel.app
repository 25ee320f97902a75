[app]
title=fuzzel
program=fuzzel
version-command=fuzzel --version
note=fuzzel reads its colours when it starts. Before version 1.9, fuzzel cannot include files, so themed-apply writes the whole configuration file, unless you have a file of your own. To keep your own file for each side, move it away and use 'themectl app use fuzzel'.

[write whole]
template=fuzzel.mustache
file=$XDG_CONFIG_HOME/fuzzel/fuzzel.ini
versions=<1.9

[write]
template=fuzzel.mustache
file=~/.config/fuzzel/themed.ini
versions=>=1.9

[setup]
file=$XDG_CONFIG_HOME/fuzzel/fuzzel.ini
system-files=$XDG_CONFIG_DIRS/fuzzel/fuzzel.ini
system-line=[main]\ninclude={system}
line=[main]\ninclude=~/.config/fuzzel/themed.ini
equivalent=include=~/.config/fuzzel/themed.ini
conflicts=colors
hidden-by=colors.*
includes=include
versions=>=1.9
