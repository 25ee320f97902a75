[app]
title=Polybar
program=polybar
note=Only gives names to the colours of the theme. Use them in your configuration, as in background = ${themed.background} and foreground = ${themed.text}.

[write]
template=polybar.mustache
file=~/.config/polybar/themed.ini
comment=;

[reload]
signal=USR1
process=polybar

[setup]
files=$XDG_CONFIG_HOME/polybar/config.ini;$XDG_CONFIG_HOME/polybar/config
system-files=/etc/xdg/polybar/config.ini;/etc/polybar/config.ini
system-line=include-file = {system}
line=include-file = ~/.config/polybar/themed.ini
comment=;
needs-system-file=yes
