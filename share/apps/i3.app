[app]
title=i3
program=i3
desktops=i3
note=For i3 4.20 and newer.

[write]
template=i3.mustache
file=~/.config/i3/themed

[reload]
ipc=i3
words=reload

[setup]
files=$XDG_CONFIG_HOME/i3/config;~/.i3/config
line=include ~/.config/i3/themed
system-files=$XDG_CONFIG_DIRS/i3/config;/etc/i3/config
system-line=include {system}
needs-system-file=yes
# sway reads the file of i3 before the system's own.
new-file-readers=sway
hidden-by=client.focused;client.focused_inactive;client.unfocused
includes=include
