-- Follows themed from the start, unless something else has been set up by then.
if vim.fn.has('nvim-0.7') == 1 and not vim.g.loaded_themed then
  vim.g.loaded_themed = 1
  require('themed').start()
end
