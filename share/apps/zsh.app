[app]
title=zsh
program=zsh

[follows]
by=plugin

[setup]
file=$ZDOTDIR/.zshrc
line=[ ! -r /usr/share/themed/zsh/themed.plugin.zsh ] || source /usr/share/themed/zsh/themed.plugin.zsh
equivalent=source /usr/share/themed/zsh/themed.plugin.zsh
