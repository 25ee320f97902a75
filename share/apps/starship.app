[app]
title=starship
program=starship
proposed=no
note=Starship reads only one configuration file, and this app replaces it. To keep your own file for each side, move it away and use 'themectl app use starship'; or move it to ~/.config/themed/templates/starship.mustache and add the palette from /usr/share/themed/templates/starship.mustache.

[write]
template=starship.mustache
file=~/.config/starship-themed.toml

[setup bash]
shell=bash
file=~/.bashrc
line=export STARSHIP_CONFIG=~/.config/starship-themed.toml
hidden-by=export STARSHIP_CONFIG=*;STARSHIP_CONFIG=*
hides=$STARSHIP_CONFIG;~/.config/starship.toml

[setup zsh]
shell=zsh
file=$ZDOTDIR/.zshrc
line=export STARSHIP_CONFIG=~/.config/starship-themed.toml
hidden-by=export STARSHIP_CONFIG=*;STARSHIP_CONFIG=*
hides=$STARSHIP_CONFIG;~/.config/starship.toml

[setup fish]
shell=fish
file=$XDG_CONFIG_HOME/fish/config.fish
line=set -gx STARSHIP_CONFIG ~/.config/starship-themed.toml
hidden-by=set * STARSHIP_CONFIG *
hides=$STARSHIP_CONFIG;~/.config/starship.toml
