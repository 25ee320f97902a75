[app]
title=Visual Studio Code
program=code;codium

[follows]
by=portal
needs="window.autoDetectColorScheme": true
