[app]
title=kitty
program=kitty
version-command=kitty --version
note=If a program sets the colours of a window, that window keeps them until the program resets them.

[write]
template=kitty.mustache
file=~/.config/kitty/themed.conf

[reload]
signal=USR1
process=kitty
versions=>=0.32

# At the signal, an older version reads only the files that it found when it was started. That would take away the
# colours that a window without such a file has by sequences.
[terminal]
process=kitty
versions=<0.32

# Its windows would keep the colours. An old version would exit at the signal.
[disable]
command=sh -c 'for id in $(pgrep -x -u "$(id -u)" kitty); do caught=$(sed -n "s/^SigCgt:[[:space:]]*//p" "/proc/$id/status"); [ -z "$caught" ] || [ $((0x${caught#????????} >> 9 & 1)) = 0 ] || kill -USR1 "$id"; done; true'

[setup]
files=$KITTY_CONFIG_DIRECTORY/kitty.conf;$XDG_CONFIG_HOME/kitty/kitty.conf;~/.config/kitty/kitty.conf
line=include ~/.config/kitty/themed.conf
hidden-by=background;foreground;color*;cursor;selection_background;selection_foreground
includes=include;globinclude

# From 0.38 these files win over kitty.conf.
[hidden]
files=$KITTY_CONFIG_DIRECTORY/dark-theme.auto.conf;$KITTY_CONFIG_DIRECTORY/light-theme.auto.conf;$KITTY_CONFIG_DIRECTORY/no-preference-theme.auto.conf;$XDG_CONFIG_HOME/kitty/dark-theme.auto.conf;$XDG_CONFIG_HOME/kitty/light-theme.auto.conf;$XDG_CONFIG_HOME/kitty/no-preference-theme.auto.conf
versions=>=0.38

[follows]
by=portal
needs=the files dark-theme.auto.conf, light-theme.auto.conf and no-preference-theme.auto.conf beside kitty.conf
versions=>=0.38
