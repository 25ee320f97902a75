[app]
title=Emacs
program=emacs
follows=plugin
note=In its init file it needs the line: (load "/usr/share/themed/emacs/themed") (themed-mode).
