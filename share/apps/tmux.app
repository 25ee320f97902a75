[app]
title=tmux
program=tmux
note=Panes are told the theme's text and background as their terminal's own, unless that tells of light and dark itself.

[write]
template=tmux.mustache
file=~/.config/tmux/themed.conf

[reload]
tmux=~/.config/tmux/themed.conf

[setup]
file=~/.tmux.conf
line=source-file ~/.config/tmux/themed.conf
