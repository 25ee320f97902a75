[app]
title=labwc
program=labwc
desktops=labwc
note=Colours of title bars and menus. They win over the theme that rc.xml names. labwc has only one file for them, so themed-apply keeps them between two comments in your own themerc-override.

[setup]
file=$XDG_CONFIG_HOME/labwc/themerc-override
template=labwc.mustache
hidden-by=*.color

[reload]
signal=HUP
process=labwc
