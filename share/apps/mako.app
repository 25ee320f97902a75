[app]
title=mako
program=mako
# mako itself tells no version.
version=sh -c "dpkg-query --show mako-notifier 2>/dev/null || rpm -q mako 2>/dev/null || pacman -Q mako"
for=>=1.8
proposed=no
rest=1000
note=From 1.8. An older one cannot include files, and does not start with the line: for 1.7 of Debian 12 enable mako-whole.

[write]
template=mako.mustache
file=~/.config/mako/themed

[reload]
command=makoctl reload
process=mako

[setup]
file=$XDG_CONFIG_HOME/mako/config
line=include=~/.config/mako/themed
at=before-sections
hidden-by=background-color;text-color;border-color;progress-color
includes=include
