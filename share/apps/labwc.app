[app]
title=labwc
program=labwc
desktops=labwc
note=Colours of title bars and menus. They win over the theme that rc.xml names.

[write]
template=labwc.mustache
file=$XDG_CONFIG_HOME/labwc/themerc-override

[reload]
signal=HUP
process=labwc
