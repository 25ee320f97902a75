[app]
title=Alacritty
program=alacritty
version-command=alacritty --version
note=Colours in alacritty.toml override those of the theme. Enabling this app turns them into comments, and disabling it restores them.

[write yaml]
template=alacritty-yaml.mustache
file=~/.config/alacritty/themed.yml
versions=<0.13

[write]
template=alacritty.mustache
file=~/.config/alacritty/themed.toml
versions=>=0.13

# A window that was opened without the user's file, or with another one, does not notice the file.
[terminal]
process=alacritty

[setup yaml]
files=$XDG_CONFIG_HOME/alacritty/alacritty.yml;$XDG_CONFIG_HOME/alacritty.yml;~/.config/alacritty/alacritty.yml;~/.alacritty.yml
line=import: [~/.config/alacritty/themed.yml]
conflicts=import;colors
position=start
versions=<0.13

[setup 0.13]
files=$XDG_CONFIG_HOME/alacritty/alacritty.toml;$XDG_CONFIG_HOME/alacritty.toml;~/.config/alacritty/alacritty.toml;~/.alacritty.toml
new-file-hides=/etc/alacritty/alacritty.toml;$XDG_CONFIG_HOME/alacritty/alacritty.yml;$XDG_CONFIG_HOME/alacritty.yml;~/.config/alacritty/alacritty.yml;~/.alacritty.yml
line=import = ["~/.config/alacritty/themed.toml"]
conflicts=import;colors.primary;colors.cursor;colors.selection;colors.search;colors.hints;colors.footer_bar;colors.normal;colors.bright;colors.dim;colors.indexed_colors
position=start
versions=>=0.13 <0.14

[setup]
files=$XDG_CONFIG_HOME/alacritty/alacritty.toml;$XDG_CONFIG_HOME/alacritty.toml;~/.config/alacritty/alacritty.toml;~/.alacritty.toml
new-file-hides=/etc/alacritty/alacritty.toml;$XDG_CONFIG_HOME/alacritty/alacritty.yml;$XDG_CONFIG_HOME/alacritty.yml;~/.config/alacritty/alacritty.yml;~/.alacritty.yml
line=general.import = ["~/.config/alacritty/themed.toml"]
equivalent=import = ["~/.config/alacritty/themed.toml"]
conflicts=general.import;import;colors.primary;colors.cursor;colors.selection;colors.search;colors.hints;colors.footer_bar;colors.normal;colors.bright;colors.dim;colors.indexed_colors
position=start
versions=>=0.14
