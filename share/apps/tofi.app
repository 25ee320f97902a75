[app]
title=tofi
program=tofi
note=tofi reads its colours when it starts.

[write]
template=tofi.mustache
file=$XDG_CONFIG_HOME/tofi/themed

[setup]
file=$XDG_CONFIG_HOME/tofi/config
line=include = themed
hidden-by=*-color;*-background
includes=include
