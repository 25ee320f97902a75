[app]
title=fzf
program=fzf
version-command=fzf --version
note=fzf reads its colours when it starts. It follows only in shells that you open after you have enabled this app. After you disable the app, restart open shells. Colours of your own in FZF_DEFAULT_OPTS give way in these shells.

[write]
template=fzf.mustache
file=~/.config/fzf/themed

# Before 0.55, fzf does not know comments in the file of FZF_DEFAULT_OPTS_FILE.
[setup bash-old]
shell=bash
file=~/.bashrc
line=fzf() { FZF_DEFAULT_OPTS="${FZF_DEFAULT_OPTS-} $(sed 1d ~/.config/fzf/themed)" command fzf "$@"; }
versions=<0.55

[setup zsh-old]
shell=zsh
file=$ZDOTDIR/.zshrc
line=fzf() { FZF_DEFAULT_OPTS="${FZF_DEFAULT_OPTS-} $(sed 1d ~/.config/fzf/themed)" command fzf "$@"; }
versions=<0.55

[setup fish-old]
shell=fish
file=$XDG_CONFIG_HOME/fish/config.fish
line=function fzf; FZF_DEFAULT_OPTS="$FZF_DEFAULT_OPTS "(sed 1d ~/.config/fzf/themed | string join " ") command fzf $argv; end
versions=<0.55

# Only colours for fzf go: they begin with a scheme, or with a name and a colon. A preview may have --color=always.
[setup bash]
shell=bash
file=~/.bashrc
line=[ ! -r ~/.config/fzf/themed ] || export FZF_DEFAULT_OPTS_FILE=~/.config/fzf/themed FZF_DEFAULT_OPTS="$(printf %s "${FZF_DEFAULT_OPTS-}" | sed -E 's/([[:punct:]]?)--color[= ]+([[:punct:]]?)((dark|light|16|base16|bw|no)(,[[:alnum:]#:,+-]*)?|[[:alnum:]+-]+:[[:alnum:]#:,+-]*)\\2\\1([[:space:]]|$)/ /g')"
equivalent=export FZF_DEFAULT_OPTS_FILE=~/.config/fzf/themed
hidden-by=export FZF_DEFAULT_OPTS=*color*;FZF_DEFAULT_OPTS=*color*;set -gx FZF_DEFAULT_OPTS *color*
hides=$FZF_DEFAULT_OPTS_FILE
versions=>=0.55

[setup zsh]
shell=zsh
file=$ZDOTDIR/.zshrc
line=[ ! -r ~/.config/fzf/themed ] || export FZF_DEFAULT_OPTS_FILE=~/.config/fzf/themed FZF_DEFAULT_OPTS="$(printf %s "${FZF_DEFAULT_OPTS-}" | sed -E 's/([[:punct:]]?)--color[= ]+([[:punct:]]?)((dark|light|16|base16|bw|no)(,[[:alnum:]#:,+-]*)?|[[:alnum:]+-]+:[[:alnum:]#:,+-]*)\\2\\1([[:space:]]|$)/ /g')"
equivalent=export FZF_DEFAULT_OPTS_FILE=~/.config/fzf/themed
hidden-by=export FZF_DEFAULT_OPTS=*color*;FZF_DEFAULT_OPTS=*color*;set -gx FZF_DEFAULT_OPTS *color*
hides=$FZF_DEFAULT_OPTS_FILE
versions=>=0.55

[setup fish]
shell=fish
file=$XDG_CONFIG_HOME/fish/config.fish
line=test ! -r ~/.config/fzf/themed; or begin; set -gx FZF_DEFAULT_OPTS_FILE ~/.config/fzf/themed; set -gx FZF_DEFAULT_OPTS (string replace -ar -- '([[:punct:]]?)--color[= ]+([[:punct:]]?)((dark|light|16|base16|bw|no)(,[[:alnum:]#:,+-]*)?|[[:alnum:]+-]+:[[:alnum:]#:,+-]*)\\2\\1([[:space:]]|$)' ' ' "$FZF_DEFAULT_OPTS"); end
hidden-by=export FZF_DEFAULT_OPTS=*color*;FZF_DEFAULT_OPTS=*color*;set -gx FZF_DEFAULT_OPTS *color*
hides=$FZF_DEFAULT_OPTS_FILE
versions=>=0.55
