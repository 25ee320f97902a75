[app]
title=SwayNotificationCenter
program=swaync
proposed=no
version-command=swaync --version
note=If you have a style.css of your own, themed-apply does not change it. To keep your own style for each side, move it away and use 'themectl app use swaync'.

[write]
template=swaync.mustache
file=$XDG_CONFIG_HOME/swaync/style.css
comment=/* */
versions=>=0.12

[reload]
command=swaync-client --reload-css --skip-wait
process=swaync
versions=>=0.12
