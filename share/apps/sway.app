[app]
title=sway
program=sway
note=If you have no configuration of your own, copy /etc/sway/config to ~/.config/sway/config first, because sway reads only one configuration.

[write]
template=sway.mustache
file=~/.config/sway/themed

[reload]
ipc=sway
commands=sway.mustache

[setup]
files=~/.sway/config;$XDG_CONFIG_HOME/sway/config
file=$XDG_CONFIG_HOME/sway/config
line=include ~/.config/sway/themed
needs-file=yes
hidden-by=client.focused;client.focused_inactive;client.unfocused
includes=include
