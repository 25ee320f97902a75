[app]
title=swaylock
program=swaylock
proposed=no
note=swaylock reads its colours when it starts. It reads only one configuration file: if you have one of your own, themed-apply does not change it.

[write]
template=swaylock.mustache
file=$XDG_CONFIG_HOME/swaylock/config

# swaylock reads it first.
[hidden]
files=~/.swaylock/config
