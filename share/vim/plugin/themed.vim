" Follows themed from the start. Neovim has its own plugin, and older Vims have no channels to Unix sockets.
if !has('nvim') && has('channel') && has('timers') && has('patch-8.2.4684') && !exists('g:loaded_themed')
  let g:loaded_themed = 1
  command! ThemedStatus echo themed#status()
  call themed#start()
endif
