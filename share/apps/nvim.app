[app]
title=Neovim
program=nvim
follows=plugin
note=In init.lua it needs the line: vim.opt.rtp:append('/usr/share/themed/nvim').
