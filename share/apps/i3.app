[app]
title=i3
program=i3
note=From 4.20. Without a configuration of your own, copy /etc/i3/config first: i3 reads only one of them.

[write]
template=i3.mustache
file=~/.config/i3/themed

[reload]
ipc=i3
words=reload

[setup]
files=$XDG_CONFIG_HOME/i3/config;~/.i3/config
line=include ~/.config/i3/themed
needs-file=yes
hidden-by=client.focused;client.focused_inactive;client.unfocused
includes=include
