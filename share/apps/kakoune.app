[app]
title=Kakoune
program=kak

[follows]
by=plugin
file=$XDG_CONFIG_HOME/kak/kakrc
line=source /usr/share/themed/kakoune/rc/themed.kak\nthemed-enable
