[app]
title=starship
program=starship
proposed=no
note=The names of colours in your prompt, such as red and blue, stand for those of the theme. Starship reads only one file, so themed-apply keeps the palette between two comments in your own starship.toml.

[setup]
files=$STARSHIP_CONFIG;~/.config/starship.toml
line=palette = "themed"
position=before-sections
conflicts=palette;palettes.themed

[setup palette]
files=$STARSHIP_CONFIG;~/.config/starship.toml
template=starship.mustache
