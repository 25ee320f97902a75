[app]
title=Emacs
program=emacs
follows=plugin
note=By a line in its init file: (load "/usr/share/themed/emacs/themed") (themed-mode)
