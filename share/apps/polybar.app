[app]
title=Polybar
program=polybar
note=The names in your section [colors] that Polybar's own example has, such as ${colors.background}, get the colours of the theme. Colours that your file writes without a name stay; for these, use names such as ${themed.surface} and ${themed.text}.

[write]
template=polybar.mustache
file=~/.config/polybar/themed.ini
comment=;

[reload]
signal=USR1
process=polybar

[setup]
files=$XDG_CONFIG_HOME/polybar/config.ini;$XDG_CONFIG_HOME/polybar/config
line=include-file = ~/.config/polybar/themed.ini\n[colors]\ninherit = themed-colors
equivalent=inherit = themed-colors
comment=;
# Colours of an included file would win over these.
system-files=$XDG_CONFIG_DIRS/polybar/config.ini;/etc/polybar/config.ini
system-copy=yes
needs-system-file=yes
# A bar with colours that have no name keeps them.
hidden-by=bar/*.background=#*;bar/*.foreground=#*
hidden-where=anywhere
includes=include-file
conflicts=colors.background;colors.background-alt;colors.foreground;colors.foreground-alt;colors.primary;colors.secondary;colors.alert;colors.disabled

# Many users keep their colours in these files, which win.
[hidden]
files=$XDG_CONFIG_HOME/polybar/colors.ini;$XDG_CONFIG_HOME/polybar/colors;$XDG_CONFIG_HOME/polybar/colours.ini;$XDG_CONFIG_HOME/polybar/themes/colors.ini
settings=*.background;*.foreground;*.bg;*.fg
