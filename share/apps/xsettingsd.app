[app]
title=GTK 2 and 3 by xsettingsd
program=xsettingsd
proposed=no
note=For X sessions without a desktop. themed-apply writes the whole configuration file of xsettingsd. If you have a file of your own, themed-apply does not change it, and GTK does not follow. To add settings of your own, copy the template to ~/.config/themed/templates and change the copy. To use a theme other than Adwaita, copy this file to ~/.config/themed/apps and name the theme there.

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

# xsettingsd reads it first.
[hidden file]
files=~/.xsettingsd
