[app]
title=swaylock
program=swaylock
proposed=no
note=swaylock reads its colours when it starts. It reads only one file, so themed-apply keeps the colours between two comments in your own.

[setup]
files=~/.swaylock/config;$XDG_CONFIG_HOME/swaylock/config
file=$XDG_CONFIG_HOME/swaylock/config
template=swaylock.mustache
hidden-by=*color
new-file-hides=/etc/swaylock/config
