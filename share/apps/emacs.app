[app]
title=Emacs
program=emacs
version=emacs --version

[follows]
by=plugin
file=~/.emacs.d/init.el
line=(when (load "/usr/share/themed/emacs/themed" t) (themed-mode))
or=(load "/usr/share/themed/emacs/themed") (themed-mode)
for=>=27.1
