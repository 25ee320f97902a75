[app]
title=wob
program=wob
proposed=no
note=wob reads its colours when it starts. It reads only one configuration file: if you have one of your own, themed-apply does not change it.

[write]
template=wob.mustache
file=$XDG_CONFIG_HOME/wob/wob.ini
