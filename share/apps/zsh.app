[app]
title=zsh
program=zsh

[follows]
by=plugin
file=~/.zshrc
line=source /usr/share/themed/zsh/themed.plugin.zsh
