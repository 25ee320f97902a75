[app]
title=GTK 2 and 3 by xsettingsd
program=xsettingsd
proposed=no
note=For X sessions without a desktop. themed-apply writes the whole configuration file; if you have one of your own, it stays as it is and GTK does not follow. Put your own settings into a copy of the template in ~/.config/themed/templates, and themes other than Adwaita into a copy of this file in ~/.config/themed/apps.

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
