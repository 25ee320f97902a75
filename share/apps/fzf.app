[app]
title=fzf
program=fzf
version=fzf --version
note=It follows when it is started. Other shells than bash need the line in a file of theirs. Where it is disabled, shells that are open have to be started anew.

[write]
template=fzf.mustache
file=~/.config/fzf/themed

[setup old]
file=~/.bashrc
line=fzf() { FZF_DEFAULT_OPTS="${FZF_DEFAULT_OPTS-} $(sed 1d ~/.config/fzf/themed)" command fzf "$@"; }
for=<0.48

[setup]
file=~/.bashrc
line=[ ! -r ~/.config/fzf/themed ] || export FZF_DEFAULT_OPTS_FILE=~/.config/fzf/themed
or=export FZF_DEFAULT_OPTS_FILE=~/.config/fzf/themed
for=>=0.48
