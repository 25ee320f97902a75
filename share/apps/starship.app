[app]
title=starship
program=starship
proposed=no
note=A configuration of your own is not read with the line: to keep it, copy it to ~/.config/themed/templates/starship.mustache, with the palette of the template of that name.

[write]
template=starship.mustache
file=~/.config/starship-themed.toml

[setup]
file=~/.bashrc
line=export STARSHIP_CONFIG=~/.config/starship-themed.toml
