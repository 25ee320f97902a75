[app]
title=Helix
program=hx;helix

[write]
template=helix.mustache
file=$XDG_CONFIG_HOME/helix/themes/themed.toml

[reload]
signal=USR1
process=hx;helix

[setup]
file=$XDG_CONFIG_HOME/helix/config.toml
line=theme = "themed"
conflicts=theme
position=start
