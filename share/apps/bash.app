[app]
title=bash
program=bash
note=It follows at its next prompt. What follows is said in .bashrc: /usr/share/themed/bash/themed.plugin.bash begins with how.

[write]
template=shell.mustache
file=$XDG_STATE_HOME/themed/bash

[write session]
template=shell.mustache
file=$XDG_RUNTIME_DIR/themed-apply/shown/bash

[setup]
file=~/.bashrc
line=[ ! -r /usr/share/themed/bash/themed.plugin.bash ] || . /usr/share/themed/bash/themed.plugin.bash
or=. /usr/share/themed/bash/themed.plugin.bash
