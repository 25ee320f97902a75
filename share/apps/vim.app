[app]
title=Vim
program=vim
version=vim --version

[follows]
by=plugin
file=~/.vimrc
line=set rtp+=/usr/share/themed/vim
for=>=9.0
