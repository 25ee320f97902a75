[app]
title=Vim
program=vim
version=vim --version

[follows]
by=plugin
for=>=9.0

[setup old]
files=~/.vimrc;~/.vim/vimrc
line=set rtp+=/usr/share/themed/vim
new=source $VIMRUNTIME/defaults.vim
comment="
for=>=9.0 <9.1.327

[setup]
files=~/.vimrc;~/.vim/vimrc;$XDG_CONFIG_HOME/vim/vimrc
line=set rtp+=/usr/share/themed/vim
new=source $VIMRUNTIME/defaults.vim
comment="
for=>=9.1.327

# With it the configuration is not read.
[hidden]
variables=VIMINIT
