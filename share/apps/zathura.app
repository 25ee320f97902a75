[app]
title=zathura
program=zathura
note=zathura shows documents in their own colours while it is light, and recolours them while it is dark.

[write]
template=zathura.mustache
file=$XDG_CONFIG_HOME/zathura/themed

[reload]
call=org.pwmt.zathura.PID-* /org/pwmt/zathura org.pwmt.zathura.ExecuteCommand s:source

[setup]
file=$XDG_CONFIG_HOME/zathura/zathurarc
line=include themed
hidden-by=default-bg;default-fg;recolor;recolor-lightcolor;recolor-darkcolor
includes=include
