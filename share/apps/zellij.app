[app]
title=Zellij
program=zellij
version-command=zellij --version

[follows]
by=terminal
needs=theme_light and theme_dark
versions=>=0.44.2
