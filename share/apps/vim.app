[app]
title=Vim
program=vim
follows=plugin
note=By a line in .vimrc: set rtp+=/usr/share/themed/vim
