[app]
title=Waybar
program=waybar
version=waybar --version
rest=1000
note=Your own style.css can use the colours by name, such as @primary.

[write]
template=waybar.mustache
file=$XDG_CONFIG_HOME/waybar/themed.css
comment=/* */

[reload]
signal=USR2
process=waybar

[setup]
files=$XDG_CONFIG_HOME/waybar/style.css;~/.config/waybar/style.css
new-hides=~/waybar/style.css
system=/etc/xdg/waybar/style.css
system-line=@import "{system}";
line=@import "themed.css";
needs-file=yes
comment=/* */
at=start
hidden-by=window#waybar.color;window#waybar.background*;\\*.color;\\*.background*;@define-color text;@define-color surface
includes=@import

# Waybar reads these, one for light and one for dark, instead of style.css.
[hidden]
files=$XDG_CONFIG_HOME/waybar/style-dark.css;$XDG_CONFIG_HOME/waybar/style-light.css
for=>=0.10

[hidden directory]
variables=WAYBAR_CONFIG_DIR

[follows]
by=portal
needs=the files style-dark.css and style-light.css beside config
for=>=0.10
