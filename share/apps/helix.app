[app]
title=Helix
program=hx;helix

[write]
template=helix.mustache
file=~/.config/helix/themes/themed.toml

[reload]
signal=USR1
process=hx;helix

[setup]
file=~/.config/helix/config.toml
line=theme = "themed"
at=start
