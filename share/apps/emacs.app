[app]
title=Emacs
program=emacs
version=emacs --version

[follows]
by=plugin
for=>=27.1

[setup]
files=~/.emacs;~/.emacs.el;~/.emacs.d/init.el;$XDG_CONFIG_HOME/emacs/init.el
file=~/.emacs.d/init.el
by-directory=yes
line=(when (load "/usr/share/themed/emacs/themed" t) (themed-mode))
or=(load "/usr/share/themed/emacs/themed") (themed-mode)
comment=;
for=>=27.1
