[app]
title=Emacs
program=emacs
version-command=emacs --version
note=If you use Doom Emacs or Spacemacs, do not enable this app: it adds its line to init.el in Emacs's directory. Doom Emacs does not read that file, and in Spacemacs it is part of the checkout. Add the line yourself. For Doom Emacs, it goes into config.el in ~/.config/doom or ~/.doom.d, and doom-theme has to be nil. For Spacemacs, it goes into dotspacemacs/user-config in ~/.spacemacs: (when (load "/usr/share/themed/emacs/themed" t) (themed-mode))

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
