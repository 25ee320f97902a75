[app]
title=Neovim
program=nvim
version=nvim --version

[follows]
by=plugin
for=>=0.7

[follows terminal]
by=terminal
for=>=0.11

[setup]
files=$XDG_CONFIG_HOME/$NVIM_APPNAME/init.lua;$XDG_CONFIG_HOME/$NVIM_APPNAME/init.vim
line=pcall(dofile, '/usr/share/themed/nvim/plugin/themed.lua')
or=vim.opt.rtp:append('/usr/share/themed/nvim')
comment=--
line.vim=lua pcall(dofile, '/usr/share/themed/nvim/plugin/themed.lua')
comment.vim="
for=>=0.7

# With it the configuration is not read.
[hidden]
variables=VIMINIT
