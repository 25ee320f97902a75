[app]
title=rofi
program=rofi
proposed=no
note=rofi reads its colours when it starts. The line that this app adds replaces a theme of your own. To keep two themes of your own, use 'themectl app use rofi'. To keep one, copy /usr/share/themed/templates/rofi.mustache to ~/.config/themed/templates, and add your theme to the copy.

[write]
template=rofi.mustache
file=$XDG_CONFIG_HOME/rofi/themes/themed.rasi
comment=//

[setup]
file=$XDG_CONFIG_HOME/rofi/config.rasi
line=@theme "themed.rasi"
comment=//
hidden-by=@theme;\\*.background*;window.background*
includes=@import
