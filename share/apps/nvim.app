[app]
title=Neovim
program=nvim
follows=plugin
note=By a line in init.lua: vim.opt.rtp:append('/usr/share/themed/nvim')
