[app]
title=Kakoune
program=kak
follows=plugin
note=By two lines in kakrc: source /usr/share/themed/kakoune/rc/themed.kak and themed-enable
