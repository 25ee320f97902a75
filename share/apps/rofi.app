[app]
title=rofi
program=rofi
note=It follows when it is started.

[write]
template=rofi.mustache
file=$XDG_CONFIG_HOME/rofi/themes/themed.rasi
comment=//

[setup]
file=$XDG_CONFIG_HOME/rofi/config.rasi
line=@theme "themed.rasi"
comment=//
