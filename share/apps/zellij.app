[app]
title=Zellij
program=zellij
version=zellij --version

[follows]
by=terminal
needs=theme_light and theme_dark
for=>=0.44.2
