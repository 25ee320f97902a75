[app]
title=mako
program=mako
# mako itself prints no version.
version-command=sh -c "dpkg-query --show mako-notifier 2>/dev/null || rpm -q mako 2>/dev/null || pacman -Q mako"
versions=>=1.8
proposed=no
debounce=1000
note=For mako 1.8 and newer. Older versions cannot include files, and do not start with the line that this app adds. For mako 1.7 of Debian 12, enable mako-whole.

[write]
template=mako.mustache
file=~/.config/mako/themed

[reload]
command=makoctl reload
process=mako

[setup]
files=~/.mako/config;$XDG_CONFIG_HOME/mako/config
file=$XDG_CONFIG_HOME/mako/config
line=include=~/.config/mako/themed
position=before-sections
# A section would give a text of the theme its own background.
conflicts=*.background-color;*.text-color;*.progress-color
hidden-by=background-color;text-color;border-color;progress-color
includes=include
