[app]
title=wob
program=wob
proposed=no
note=wob reads its colours when it starts. It reads only one file, so themed-apply keeps the colours between two comments in your own wob.ini.

[setup]
file=$XDG_CONFIG_HOME/wob/wob.ini
template=wob.mustache
hidden-by=background_color;border_color;bar_color;overflow_background_color;overflow_border_color;overflow_bar_color
position=before-sections
