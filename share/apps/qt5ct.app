[app]
title=Qt 5 by qt5ct
program=qt5ct
proposed=no
note=For programs that are started with QT_QPA_PLATFORMTHEME=qt5ct. An open window follows after the three seconds that qt5ct waits; its own window does not. Qt 6 asks the portal from 6.5 on.

[write]
template=qt5ct.mustache
file=~/.config/qt5ct/themed.colors.conf

[reload]
touch=$XDG_CONFIG_HOME/qt5ct/qt5ct.conf

[setup]
file=$XDG_CONFIG_HOME/qt5ct/qt5ct.conf
line=[Appearance]\ncolor_scheme_path=~/.config/qt5ct/themed.colors.conf\ncustom_palette=true

[hidden]
needs-variables=QT_QPA_PLATFORMTHEME=*qt5ct*
