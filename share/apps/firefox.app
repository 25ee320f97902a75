[app]
title=Firefox
program=firefox;firefox-esr

[follows]
by=portal
