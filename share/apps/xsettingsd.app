[app]
title=GTK 2 and 3 by xsettingsd
program=xsettingsd
proposed=no
note=For X without a desktop. Its configuration is written whole; one of your own stays as it is, and GTK does not follow: settings of your own go into a copy of the template in ~/.config/themed/templates, other themes than Adwaita into one of this file in ~/.config/themed/apps.

[light]
value=Adwaita

[dark]
value=Adwaita-dark

[write]
template=xsettingsd.mustache
file=$XDG_CONFIG_HOME/xsettingsd/xsettingsd.conf

[reload]
signal=HUP
process=xsettingsd

[hidden]
variables=GTK_THEME
