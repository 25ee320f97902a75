[app]
title=Kakoune
program=kak

[follows]
by=plugin

[setup]
files=$KAKOUNE_CONFIG_DIR/kakrc;$XDG_CONFIG_HOME/kak/kakrc
line=try %{ source /usr/share/themed/kakoune/rc/themed.kak; themed-enable }
hidden-by=colorscheme
includes=source
or=source /usr/share/themed/kakoune/rc/themed.kak\nthemed-enable
