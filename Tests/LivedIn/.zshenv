ZDOTDIR=$HOME/.config/zsh
