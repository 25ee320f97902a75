[app]
title=Neovim
program=nvim
version=nvim --version

[follows]
by=plugin
file=$XDG_CONFIG_HOME/nvim/init.lua
line=pcall(dofile, '/usr/share/themed/nvim/plugin/themed.lua')
or=vim.opt.rtp:append('/usr/share/themed/nvim')
for=>=0.7

[follows terminal]
by=terminal
for=>=0.11
