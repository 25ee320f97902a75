[app]
title=Chromium
program=chromium;chromium-browser;google-chrome

[follows]
by=portal
