[app]
title=Waybar
program=waybar
version-command=waybar --version
debounce=1000
note=Your own style.css keeps its sizes and shapes, and its colours give way to the theme's. To keep your colours, begin style.css with @import "themed.css"; before you enable this app, and use the theme's colours by name, such as @themed-primary.

[write names]
template=waybar.mustache
file=$WAYBAR_CONFIG_DIR/themed.css
comment=/* */

[write bar]
template=waybar-bar.mustache
file=$WAYBAR_CONFIG_DIR/themed-bar.css
comment=/* */

[reload]
signal=USR2
process=waybar

[setup]
file=$WAYBAR_CONFIG_DIR/style.css
new-file-hides=$XDG_CONFIG_HOME/waybar/style.css;~/.config/waybar/style.css;~/waybar/style.css
system-files=/etc/xdg/waybar/style.css
system-line=@import "{system}";
# GTK 3 reads an import anywhere.
line=@import "themed-bar.css";
equivalent=@import "themed.css";
needs-system-file=yes
comment=/* */

[replaced]
files=$WAYBAR_CONFIG_DIR/style.css
settings=*.color;*.background;*.background-color;*.background-image;*.border-color;*.text-shadow

# Waybar reads these, one for light and one for dark, instead of style.css.
[hidden]
files=$WAYBAR_CONFIG_DIR/style-dark.css;$WAYBAR_CONFIG_DIR/style-light.css
versions=>=0.10

[follows]
by=portal
needs=the files style-dark.css and style-light.css beside config
versions=>=0.10
