[app]
title=delta
program=delta
note=It follows when it is started. It colours code by the terminal's sixteen colours.

[write]
template=delta.mustache
file=~/.config/delta/themed.gitconfig

[setup]
file=~/.gitconfig
line=[include] path = ~/.config/delta/themed.gitconfig
