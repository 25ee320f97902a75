[app]
title=Vim
program=vim
# "vim --version" tells the number of the patch in another line.
version-command=vim -u NONE -i NONE -es -c "put =printf('%d.%d.%d', v:version / 100, v:version % 100, v:versionlong % 10000)" -c print -c quit!

[follows]
by=plugin
versions=>=9.0

[setup old]
files=$VIMINIT;~/.vimrc;~/.vim/vimrc
line=set rtp+=/usr/share/themed/vim
new-file-start=source $VIMRUNTIME/defaults.vim
plugins=/usr/share/vim/vimfiles/plugin/themed.vim;/usr/local/share/vim/vimfiles/plugin/themed.vim
comment="
versions=>=9.0 <9.1.327

[setup]
files=$VIMINIT;~/.vimrc;~/.vim/vimrc;$XDG_CONFIG_HOME/vim/vimrc
line=set rtp+=/usr/share/themed/vim
new-file-start=source $VIMRUNTIME/defaults.vim
plugins=/usr/share/vim/vimfiles/plugin/themed.vim;/usr/local/share/vim/vimfiles/plugin/themed.vim
comment="
versions=>=9.1.327

# With it Vim reads no configuration but the one that it names.
[hidden]
variables=VIMINIT
