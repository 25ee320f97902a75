[app]
title=sway
program=sway
desktops=sway
note=The bars of sway follow, too, except those whose status_command is a program with colours of its own: i3status, i3blocks, py3status, i3pystatus, Bumblebee or Conky.

[write]
template=sway.mustache
file=~/.config/sway/themed

[write bars]
template=sway-bars.mustache
file=~/.config/sway/themed-bars

[reload]
ipc=sway
commands=sway.mustache

[reload bars]
ipc=sway
words=exec sh ~/.config/sway/themed-bars

[setup]
files=~/.sway/config;$XDG_CONFIG_HOME/sway/config;~/.i3/config;$XDG_CONFIG_HOME/i3/config
file=$XDG_CONFIG_HOME/sway/config
line=include ~/.config/sway/themed\nexec_always sh ~/.config/sway/themed-bars
system-files=/etc/sway/config;/etc/i3/config
system-line=include {system}
needs-system-file=yes
hidden-by=client.focused;client.focused_inactive;client.unfocused
includes=include
