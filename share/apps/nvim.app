[app]
title=Neovim
program=nvim
version-command=nvim --version

[follows]
by=plugin
versions=>=0.7

[follows terminal]
by=terminal
versions=>=0.11

[setup]
files=$XDG_CONFIG_HOME/$NVIM_APPNAME/init.lua;$XDG_CONFIG_HOME/$NVIM_APPNAME/init.vim
line=do local f = loadfile('/usr/share/themed/nvim/plugin/themed.lua') if f then f() end end
equivalent=pcall(dofile, '/usr/share/themed/nvim/plugin/themed.lua')
plugins=$XDG_DATA_HOME/$NVIM_APPNAME/site/plugin/themed.lua;$XDG_DATA_DIRS/$NVIM_APPNAME/site/plugin/themed.lua
# lazy.nvim drops these directories from the path.
plugins-hidden-by=$XDG_DATA_HOME/$NVIM_APPNAME/lazy/lazy.nvim
comment=--
line.vim=lua do local f = loadfile('/usr/share/themed/nvim/plugin/themed.lua') if f then f() end end
comment.vim="
versions=>=0.7

# With it the configuration is not read.
[hidden]
variables=VIMINIT
