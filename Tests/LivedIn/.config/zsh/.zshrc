setopt auto_cd
mine=zsh
