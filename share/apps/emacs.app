[app]
title=Emacs
program=emacs
version-command=emacs --version

[follows]
by=plugin
versions=>=27.1

[setup]
files=~/.emacs;~/.emacs.el;~/.emacs.d/init.el;$XDG_CONFIG_HOME/emacs/init.el
file=~/.emacs.d/init.el
by-directory=yes
line=(when (load "/usr/share/themed/emacs/themed" t) (themed-mode))
equivalent=(load "/usr/share/themed/emacs/themed") (themed-mode)
plugins=/etc/emacs/site-start.d/50themed.el;/usr/share/emacs/site-lisp/site-start.d/50themed.el
# There some configurations turn the site's files off.
plugins-hidden-by=~/.emacs.d/early-init.el;$XDG_CONFIG_HOME/emacs/early-init.el
comment=;
versions=>=27.1
