[app]
title=tmux
program=tmux
version=tmux -V
note=tmux gives programs in its panes the theme's text and background colours as those of the terminal, unless the terminal itself reports light and dark.

[write]
template=tmux.mustache
file=~/.config/tmux/themed.conf

[reload]
tmux=~/.config/tmux/themed.conf

[setup]
files=~/.tmux.conf;$XDG_CONFIG_HOME/tmux/tmux.conf;~/.config/tmux/tmux.conf
line=source-file ~/.config/tmux/themed.conf
hidden-by=status-style;status-bg;status-fg;window-style;window-active-style;run *tpm*;run-shell *tpm*;run *theme*;run-shell *theme*

[follows]
by=terminal
needs=the hooks client-light-theme and client-dark-theme
for=>=3.6
