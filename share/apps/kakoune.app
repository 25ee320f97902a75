[app]
title=Kakoune
program=kak

[follows]
by=plugin

[setup]
files=$KAKOUNE_CONFIG_DIR/kakrc;$XDG_CONFIG_HOME/kak/kakrc
line=try %{ source /usr/share/themed/kakoune/rc/themed.kak; themed-enable }
plugins=/usr/share/kak/rc/themed.kak;/usr/local/share/kak/rc/themed.kak
# Kakoune reads the first directory autoload that exists.
plugins-hidden-by=$KAKOUNE_CONFIG_DIR/autoload;$XDG_CONFIG_HOME/kak/autoload
hidden-by=colorscheme
includes=source
equivalent=source /usr/share/themed/kakoune/rc/themed.kak\nthemed-enable
