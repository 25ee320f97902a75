[app]
title=GNOME Console
program=kgx

[follows]
by=portal
needs=gsettings set org.gnome.Console theme auto
