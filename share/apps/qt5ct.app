[app]
title=Qt 5 by qt5ct
program=qt5ct
proposed=no
note=For programs that you start with QT_QPA_PLATFORMTHEME=qt5ct. Open windows follow after three seconds, because qt5ct waits that long. The window of qt5ct itself does not follow.

[write]
template=qtct.mustache
file=~/.config/qt5ct/themed.colors.conf

[reload]
touch=$XDG_CONFIG_HOME/qt5ct/qt5ct.conf

[setup]
file=$XDG_CONFIG_HOME/qt5ct/qt5ct.conf
line=[Appearance]\ncolor_scheme_path=~/.config/qt5ct/themed.colors.conf\ncustom_palette=true

[hidden]
needs-variables=QT_QPA_PLATFORMTHEME=*qt5ct*
