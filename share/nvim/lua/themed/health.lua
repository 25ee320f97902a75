-- :checkhealth themed
local M = {}

local health = vim.health or require('health')
-- Before 0.10 these have other names.
local start, ok = health.start or health.report_start, health.ok or health.report_ok
local warn, fail = health.warn or health.report_warn, health.error or health.report_error

local ask_doctor = "Run 'themectl doctor' to find out why."

---@param themed themed.Module
local function check_connection(themed)
  local connection = require('themed.connection')
  local path = connection.socket_path()
  if not path then
    fail('the path of the socket is too long', { 'Set $THEMED_SOCKET to a shorter path, or unset it.' })
  elseif not themed.is_following() then
    local advice = { "Correct the option that ':messages' names, or call require('themed').start()." }
    warn('the plugin is not following themed: see :help themed.start() and :messages', advice)
  elseif connection.failure then
    local advice = { ask_doctor }
    if connection.failure:find('ENOENT') or connection.failure:find('ECONNREFUSED') then
      table.insert(advice, 1, "If themed does not run, start it with 'themectl setup'.")
    end
    fail(path .. ': ' .. connection.failure, advice)
  elseif themed.elsewhere then
    ok(('%s says %s, which is not shown in an ssh session: see :help themed-ssh'):format(path, themed.elsewhere.scheme))
  elseif not themed.state then
    fail(path .. ' does not answer', { ask_doctor })
  else
    ok(('%s says %s'):format(path, themed.state.scheme))
    return themed.state
  end
end

---@param state themed.State
---@param options themed.Options
local function check_colors(state, options)
  if vim.o.background ~= state.scheme then
    warn(("'background' is %s, although themed says %s"):format(vim.o.background, state.scheme), {
      'A color scheme or your configuration has set it since. It turns at the next switch.',
      "':verbose set background?' names the file that has set it.",
    })
  else
    ok(("'background' is %s"):format(state.scheme))
  end
  if not options.palette then
    return
  end
  if type(state.palette) ~= 'table' then
    warn("the option 'palette' is set, but no theme is chosen", {
      "Choose one with 'themectl set theme NAME'; 'themectl theme list' lists them.",
    })
  elseif vim.g.colors_name ~= 'themed' then
    warn(("the color scheme is %s, and not that of the theme"):format(vim.g.colors_name or 'the default'), {
      "Load it with ':colorscheme themed', and load no other color scheme in your configuration.",
    })
  elseif not vim.o.termguicolors and vim.fn.has('gui_running') == 0 then
    warn("without 'termguicolors' the theme has only the terminal's sixteen colors", {
      "If your terminal shows true colors, add 'vim.opt.termguicolors = true' to init.lua.",
    })
  else
    ok(('the colors are those of the theme %s'):format(state.theme or ''))
  end
end

function M.check()
  start('themed')
  if vim.fn.has('nvim-0.7') == 0 then
    return fail('this Neovim is too old', { 'Install Neovim 0.7 or newer.' })
  end
  local themed = require('themed')
  local state = check_connection(themed)
  if state then
    check_colors(state, themed.options())
  end
end

return M
