[app]
title=wofi
program=wofi
proposed=no
note=wofi reads its colours when it starts. If you have a style.css of your own, themed-apply does not change it. To keep your own style for each side, move it away and use 'themectl app use wofi'.

[write]
template=wofi.mustache
file=$XDG_CONFIG_HOME/wofi/style.css
comment=/* */
