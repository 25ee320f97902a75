[app]
title=Zed
program=zed;zeditor

[follows]
by=portal
needs="theme": {"mode": "system", "light": ..., "dark": ...}
