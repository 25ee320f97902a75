[app]
title=mako before 1.8
program=mako
# mako itself prints no version.
version-command=sh -c "dpkg-query --show mako-notifier 2>/dev/null || rpm -q mako 2>/dev/null || pacman -Q mako"
versions=<1.8
proposed=no
debounce=1000
note=This old version of mako cannot include files, so themed-apply writes its whole configuration file. If you have a file of your own, themed-apply does not change it, and mako does not follow. To keep your own file for each side, move it away and use 'themectl app use mako-whole'.

[write]
template=mako.mustache
file=$XDG_CONFIG_HOME/mako/config

[reload]
command=makoctl reload
process=mako

# mako reads it first.
[hidden]
files=~/.mako/config
