let g:mine = "nvim"
set number
