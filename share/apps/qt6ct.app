[app]
title=Qt 6 by qt6ct
program=qt6ct
proposed=no
note=For programs that you start with QT_QPA_PLATFORMTHEME=qt6ct. Open windows follow after three seconds, because qt6ct waits that long. The window of qt6ct itself does not follow.

[write]
template=qtct.mustache
file=~/.config/qt6ct/themed.colors.conf

[reload]
touch=$XDG_CONFIG_HOME/qt6ct/qt6ct.conf

[setup]
file=$XDG_CONFIG_HOME/qt6ct/qt6ct.conf
line=[Appearance]\ncolor_scheme_path=~/.config/qt6ct/themed.colors.conf\ncustom_palette=true

[hidden]
needs-variables=QT_QPA_PLATFORMTHEME=*qt6ct*
