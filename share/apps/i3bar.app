[app]
title=i3bar
program=i3bar
proposed=no
desktops=i3
note=i3 reads the colours of a bar only from the block bar of its own file, so themed-apply keeps them between two comments there. A bar whose status_command is a program with colours of its own stays as it is: i3status, i3blocks, py3status, i3pystatus, Bumblebee or Conky.

[setup]
files=$XDG_CONFIG_HOME/i3/config;~/.i3/config
template=i3bar.mustache
position=block-end
block=bar
block-except=*i3status*;*py3status*;*i3pystatus*;*i3blocks*;*bumblebee*;*conky*

[reload]
ipc=i3
words=reload
