[app]
title=zsh
program=zsh
follows=plugin
note=By a line in .zshrc: source /usr/share/themed/zsh/themed.plugin.zsh
