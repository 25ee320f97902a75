[app]
title=SwayNotificationCenter
program=swaync
proposed=no
# Without a display it prints none.
version-command=sh -c "swaync --version 2>/dev/null || dpkg-query --show sway-notification-center 2>/dev/null || rpm -q SwayNotificationCenter 2>/dev/null || pacman -Q swaync"
note=From version 0.12, themed-apply does not change a style.css of your own. To keep your own style for each side, move it away and use 'themectl app use swaync'.

[write]
template=swaync.mustache
file=$XDG_CONFIG_HOME/swaync/style.css
comment=/* */
versions=>=0.12

# Until then, its own style has names for its colours.
[write names]
template=swaync-names.mustache
file=$XDG_CONFIG_HOME/swaync/themed.css
comment=/* */
versions=>=0.9 <0.12

[reload]
command=swaync-client --reload-css --skip-wait
process=swaync
versions=>=0.9

[setup]
file=$XDG_CONFIG_HOME/swaync/style.css
line=@import "themed.css";
comment=/* */
hidden-by=*.background;*.background-color;*.color
hidden-where=anywhere
versions=>=0.9 <0.12
