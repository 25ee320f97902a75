[app]
title=sway
program=sway

[write]
template=sway.mustache
file=~/.config/sway/themed

[reload]
ipc=sway
commands=sway.mustache

[setup]
files=~/.sway/config;$XDG_CONFIG_HOME/sway/config;~/.i3/config;$XDG_CONFIG_HOME/i3/config
file=$XDG_CONFIG_HOME/sway/config
line=include ~/.config/sway/themed
system-files=/etc/sway/config;/etc/i3/config
system-line=include {system}
needs-system-file=yes
hidden-by=client.focused;client.focused_inactive;client.unfocused
includes=include
