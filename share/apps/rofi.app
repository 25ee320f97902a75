[app]
title=rofi
program=rofi
note=It follows when it is started.

[write]
template=rofi.mustache
file=~/.config/rofi/themes/themed.rasi
comment=//

[setup]
file=~/.config/rofi/config.rasi
line=@theme "themed"
comment=//
