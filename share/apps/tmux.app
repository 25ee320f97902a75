[app]
title=tmux
program=tmux
version=tmux -V
note=Panes are told the theme's text and background as their terminal's own, unless that tells of light and dark itself.

[write]
template=tmux.mustache
file=~/.config/tmux/themed.conf

[reload]
tmux=~/.config/tmux/themed.conf

[setup]
file=~/.tmux.conf
instead=$XDG_CONFIG_HOME/tmux/tmux.conf;~/.config/tmux/tmux.conf
line=source-file ~/.config/tmux/themed.conf

[follows]
by=terminal
needs=the hooks client-light-theme and client-dark-theme
for=>=3.6
