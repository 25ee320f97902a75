[app]
title=wofi
program=wofi
note=wofi reads its colours when it starts. Your own style.css keeps its sizes and shapes, and its colours give way to the theme's.

[write]
template=wofi.mustache
file=~/.config/wofi/themed.css
comment=/* */

# wofi reads its style as a text, so the address has to be whole. GTK 3 reads an import anywhere.
[setup]
file=$XDG_CONFIG_HOME/wofi/style.css
line=@import url("file://{home}/.config/wofi/themed.css");
comment=/* */

[replaced]
files=$XDG_CONFIG_HOME/wofi/style.css
settings=*.color;*.background;*.background-color;*.background-image;*.border-color;*.text-shadow
