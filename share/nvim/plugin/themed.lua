-- Follows themed from the start, unless the user has set up something else by then. The line in init.lua names this
-- file, because lazy.nvim does not load it by itself. The file in Neovim's site directory does the same if the app is
-- enabled.
if vim.fn.has('nvim-0.7') == 1 and not vim.g.loaded_themed then
  vim.g.loaded_themed = 1
  local directory = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h')

  local function be_found()
    if #vim.api.nvim_get_runtime_file('lua/themed/init.lua', false) == 0 then
      vim.opt.runtimepath:append(directory)
    end
  end

  local function start()
    -- lazy.nvim removes earlier entries of the path.
    be_found()
    -- Without a stack trace, since what is wrong is an option of the user's.
    local is_started, problem = pcall(function()
      require('themed').start()
    end)
    if not is_started then
      vim.notify(problem, vim.log.levels.ERROR)
    end
  end

  be_found()
  if vim.v.vim_did_enter == 1 then
    start()
  else
    -- Options may be set below the line, too.
    vim.api.nvim_create_autocmd('VimEnter', { once = true, callback = start })
  end
end
