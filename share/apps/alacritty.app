[app]
title=Alacritty
program=alacritty
version=alacritty --version
note=Colours of your own behind the line win over these.

[write yaml]
template=alacritty-yaml.mustache
file=~/.config/alacritty/themed.yml
for=<0.13

[write]
template=alacritty.mustache
file=~/.config/alacritty/themed.toml
for=>=0.13

[setup yaml]
file=$XDG_CONFIG_HOME/alacritty/alacritty.yml
instead=$XDG_CONFIG_HOME/alacritty.yml;~/.config/alacritty/alacritty.yml;~/.alacritty.yml
line=import: [~/.config/alacritty/themed.yml]
conflicts=import
at=start
for=<0.13

[setup 0.13]
file=$XDG_CONFIG_HOME/alacritty/alacritty.toml
instead=$XDG_CONFIG_HOME/alacritty.toml;~/.config/alacritty/alacritty.toml;~/.alacritty.toml;$XDG_CONFIG_HOME/alacritty/alacritty.yml;$XDG_CONFIG_HOME/alacritty.yml;~/.config/alacritty/alacritty.yml;~/.alacritty.yml
line=import = ["~/.config/alacritty/themed.toml"]
conflicts=import
at=start
for=>=0.13 <0.14

[setup]
file=$XDG_CONFIG_HOME/alacritty/alacritty.toml
instead=$XDG_CONFIG_HOME/alacritty.toml;~/.config/alacritty/alacritty.toml;~/.alacritty.toml;$XDG_CONFIG_HOME/alacritty/alacritty.yml;$XDG_CONFIG_HOME/alacritty.yml;~/.config/alacritty/alacritty.yml;~/.alacritty.yml
line=general.import = ["~/.config/alacritty/themed.toml"]
or=import = ["~/.config/alacritty/themed.toml"]
conflicts=general.import;general;import
at=start
for=>=0.14
