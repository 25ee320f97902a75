[app]
title=Vim
program=vim
version=vim --version

[follows]
by=plugin
for=>=9.0

[setup old]
files=$VIMINIT;~/.vimrc;~/.vim/vimrc
line=set rtp+=/usr/share/themed/vim
new=source $VIMRUNTIME/defaults.vim
comment="
for=>=9.0 <9.1.327

[setup]
files=$VIMINIT;~/.vimrc;~/.vim/vimrc;$XDG_CONFIG_HOME/vim/vimrc
line=set rtp+=/usr/share/themed/vim
new=source $VIMRUNTIME/defaults.vim
comment="
for=>=9.1.327

# With it Vim reads no configuration but the one that it names.
[hidden]
variables=VIMINIT
