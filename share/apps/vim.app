[app]
title=Vim
program=vim
follows=plugin
note=In ~/.vimrc it needs the line: set rtp+=/usr/share/themed/vim. Vim has to have channels.
