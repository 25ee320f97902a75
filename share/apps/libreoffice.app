[app]
title=LibreOffice
program=libreoffice;soffice
note=The pages of documents stay white.

[follows]
by=portal
needs=the package for GTK, such as libreoffice-gtk3
