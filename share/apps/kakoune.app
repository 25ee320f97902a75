[app]
title=Kakoune
program=kak

[follows]
by=plugin

[setup]
file=$XDG_CONFIG_HOME/kak/kakrc
line=try %{ source /usr/share/themed/kakoune/rc/themed.kak; themed-enable }
or=source /usr/share/themed/kakoune/rc/themed.kak\nthemed-enable
