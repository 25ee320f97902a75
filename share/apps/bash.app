[app]
title=bash
program=bash
note=bash follows at its next prompt. To let variables, functions and the prompt follow, add lines to .bashrc. The comment at the top of /usr/share/themed/bash/themed.plugin.bash shows them.

[write variables]
template=shell.mustache
file=$XDG_STATE_HOME/themed/bash

[write session]
template=shell.mustache
file=$XDG_RUNTIME_DIR/themed-apply/shown/bash

[setup]
file=~/.bashrc
line=[ ! -r /usr/share/themed/bash/themed.plugin.bash ] || . /usr/share/themed/bash/themed.plugin.bash
equivalent=. /usr/share/themed/bash/themed.plugin.bash
