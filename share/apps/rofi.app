[app]
title=rofi
program=rofi
proposed=no
note=It follows when it is started. A theme of your own is not read with the line: to keep it, have it in ~/.config/themed/templates/rofi.mustache, a copy of the template of that name.

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
