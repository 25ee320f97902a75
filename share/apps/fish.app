[app]
title=fish
program=fish
note=What follows is said in config.fish: /usr/share/themed/fish/conf.d/themed.fish begins with how.

[write]
template=shell.mustache
file=$XDG_STATE_HOME/themed/fish

[reload]
signal=WINCH
process=fish

[setup]
file=$XDG_CONFIG_HOME/fish/config.fish
line=source /usr/share/themed/fish/conf.d/themed.fish
