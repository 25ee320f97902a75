" Starts themed's plugin if the app vim is enabled: 'themectl app enable vim'.
if !has('nvim') && !exists('g:loaded_themed') && has('patch-8.2.4684')
  let s:list = ($XDG_CONFIG_HOME[0] == '/' ? $XDG_CONFIG_HOME : $HOME .. '/.config') .. '/themed/apps.enabled'
  if filereadable(s:list) && match(readfile(s:list), '\C^\s*vim\s*\%(#.*\)\?$') >= 0
    set runtimepath+=/usr/share/themed/vim
    source /usr/share/themed/vim/plugin/themed.vim
  endif
  unlet s:list
endif
