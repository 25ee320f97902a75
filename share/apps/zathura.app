[app]
title=zathura
program=zathura
note=Documents keep their own colours on the light side, and are recoloured on the dark one.

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
