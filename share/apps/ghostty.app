[app]
title=Ghostty
program=ghostty

[follows]
by=portal
needs=theme = light:One,dark:Other
