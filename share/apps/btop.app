[app]
title=btop
program=btop
version-command=btop --version
note=Before version 1.3, btop reads its colours only when it starts.

[write]
template=btop.mustache
file=$XDG_CONFIG_HOME/btop/themes/themed.theme

[reload]
signal=USR2
process=btop
versions=>=1.3

[setup]
file=$XDG_CONFIG_HOME/btop/btop.conf
line=color_theme = "themed"
conflicts=color_theme
