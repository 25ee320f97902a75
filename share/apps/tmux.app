[app]
title=tmux
program=tmux
version-command=tmux -V
note=When a program in a pane asks for the colours of its terminal, tmux answers with the text and background colours of the theme. If the terminal itself reports light and dark, tmux leaves this to the terminal. Colours in your own formats, such as status-left, give way to the theme's; 'themectl app disable tmux' brings them back.

[write]
template=tmux.mustache
file=~/.config/tmux/themed.conf

[reload]
tmux=~/.config/tmux/themed.conf

[setup]
# tmux reads all of them, and the first one here last.
files=~/.config/tmux/tmux.conf;$XDG_CONFIG_HOME/tmux/tmux.conf;~/.tmux.conf
file=~/.tmux.conf
reads-all=yes
line=source-file ~/.config/tmux/themed.conf
hidden-by=status-style;status-bg;status-fg;window-style;window-active-style;run *tpm*;run-shell *tpm*;run *theme*;run-shell *theme*
includes=source-file;source

# Its servers would keep the colors.
[disable]
command=sh -c 'told=; for socket in "${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)"/*; do [ -S "$socket" ] && "$0" -S "$socket" list-sessions >/dev/null 2>&1 || continue; told=yes; for option in status-style status-left-style status-right-style window-status-style window-status-last-style window-status-current-style window-status-activity-style window-status-bell-style pane-border-style pane-active-border-style message-style message-command-style mode-style copy-mode-match-style copy-mode-current-match-style copy-mode-mark-style menu-style menu-selected-style menu-border-style popup-style popup-border-style display-panes-colour display-panes-active-colour clock-mode-colour client-dark-theme[2031] client-light-theme[2031] ${told:+$([ "$("$0" -S "$socket" show -gqv @themed-panes)" != 1 ] || echo window-style window-active-style cursor-colour pane-colours @themed-panes)}; do "$0" -S "$socket" set -gqu "$option"; done; for format in status-left status-right window-status-format window-status-current-format pane-border-format; do [ -z "$("$0" -S "$socket" show -gqv "@themed-$format")" ] || { "$0" -S "$socket" set -gqF "$format" "#{@themed-$format}"; "$0" -S "$socket" set -gqu "@themed-$format"; }; done; done; [ -z "$told" ] || for file in ~/.tmux.conf "${XDG_CONFIG_HOME:-$HOME/.config}/tmux/tmux.conf" ~/.config/tmux/tmux.conf; do [ ! -e "$file" ] || { echo "tmux has its default colours now; to load your own, run: tmux source-file $file"; break; }; done' {program}
timeout=20

[follows]
by=terminal
needs=the hooks client-light-theme and client-dark-theme
versions=>=3.6

[replaced]
files=$XDG_CONFIG_HOME/tmux/tmux.conf;~/.tmux.conf
settings=*status-left *fg=*;*status-left *bg=*;*status-right *fg=*;*status-right *bg=*;*status-format *fg=*;*status-format *bg=*;*status-current-format *fg=*;*status-current-format *bg=*;*border-format *fg=*;*border-format *bg=*
