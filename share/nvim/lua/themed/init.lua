-- Makes Neovim light or dark as themed says, with `palette` in the colors of the theme. See :help themed.
local connection = require('themed.connection')

---@class themed.Options Options of `vim.g.themed` and of `setup`.
---@field app? string The name for overriding Neovim alone; by default "nvim".
---@field palette? boolean Whether to use the colors of the chosen theme; by default false.
---@field ssh? boolean Whether to follow the desktop of this machine in ssh sessions, too; by default false.

---@class themed.Origin The source that decided a field.
---@field rule string Such as "override", "schedule", "portal", "upstream" or "default".

---@class themed.State A state, as org.themed.theme(7) describes it.
---@field scheme 'light'|'dark'
---@field desktop? string What the desktop asks for.
---@field theme? string The name of the chosen theme.
---@field palette? table<string, string> The colors by role, as #rrggbb; only with the option `palette`.
---@field origins? table<string, themed.Origin>

---@class themed.Module
---@field state? themed.State The newest state; nil until there is a state to show.
---@field elsewhere? themed.State The state that is not shown because this is an ssh session.
local M = {}

---@type themed.Options
local defaults = { app = 'nvim', palette = false, ssh = false }
local given = {} -- by `setup`
local options = defaults
local stop -- stops following; nil while the plugin does not follow
local shown -- the scheme that was set last
local drawn -- the palette that was drawn last
local before -- the color scheme that ours replaced, or empty if there was none
local dropped = {} -- the color schemes that Neovim dropped because they set 'background' themselves, by side

-- The palette to draw with; nil without the option `palette` or a theme.
---@return table<string, string>?
local function palette()
  return options.palette and M.state and type(M.state.palette) == 'table' and M.state.palette or nil
end

-- Whether the desktop or themed's default decides, which a terminal follows, too, and not an override or a schedule.
local function is_left_to_the_desktop()
  local rule = vim.tbl_get(M.state, 'origins', 'scheme', 'rule')
  return rule == 'portal' or rule == 'default'
end

-- Whether themed has only its own default. Neovim may know better, because it has asked its terminal.
local function is_a_guess()
  return is_left_to_the_desktop() and M.state.desktop == 'unavailable'
end

-- Whether a state is for another display than Neovim's: this is an ssh session, and the state is that of this machine's
-- desktop. A state that `themectl share` sends comes from the other machine.
---@param state themed.State
---@return boolean
local function is_elsewhere(state)
  return not options.ssh
    and (os.getenv('SSH_CONNECTION') or '') .. (os.getenv('SSH_TTY') or '') ~= ''
    and vim.tbl_get(state, 'origins', 'desktop', 'rule') ~= 'upstream'
end

-- Loads a color scheme; if it is gone, the plugin goes on.
local function load_scheme(name)
  local is_loaded, problem = pcall(vim.cmd, 'colorscheme ' .. vim.fn.fnameescape(name))
  if not is_loaded then
    vim.notify('themed: ' .. problem, vim.log.levels.WARN)
  end
end

-- Sets 'background'. Neovim drops a color scheme that sets 'background' itself, such as desert, so it is loaded again
-- when its side comes back, unless another color scheme is set by then.
local function set_background(scheme)
  local name, side = vim.g.colors_name, vim.o.background
  vim.o.background = scheme
  if name and not vim.g.colors_name then
    dropped[side] = name
  end
  local again = dropped[scheme]
  dropped[scheme] = nil
  if again and not vim.g.colors_name then
    load_scheme(again)
  end
end

-- Draws with the theme's colors, as `:colorscheme themed` does, but without searching for its file.
local function draw()
  vim.api.nvim_exec_autocmds('ColorSchemePre', { pattern = 'themed', modeline = false })
  M.load()
  vim.api.nvim_exec_autocmds('ColorScheme', { pattern = 'themed', modeline = false })
end

-- Draws as before the theme's colors.
local function put_back(scheme)
  vim.g.colors_name = nil
  vim.o.background = scheme
  local name = before ~= '' and before or dropped[scheme]
  if name then
    load_scheme(name)
    -- The color scheme may set 'background' to the other side.
    return vim.o.background ~= scheme and set_background(scheme)
  end
  vim.cmd('highlight clear')
  vim.api.nvim_exec_autocmds('ColorScheme', { pattern = 'default', modeline = false })
end

-- Shows the newest state if it has changed, so that what the user set by hand stays until then.
local function show()
  local scheme, colors = M.state.scheme, palette()
  if colors then
    if vim.deep_equal(colors, drawn) and scheme == shown then
      return
    end
    -- Ours may have been loaded by hand, before there were colors.
    before = vim.g.colors_name ~= 'themed' and (vim.g.colors_name or '') or before or ''
    draw()
  elseif before and vim.g.colors_name == 'themed' then
    put_back(scheme)
  elseif scheme ~= shown and not (shown == nil and is_a_guess()) then
    set_background(scheme)
  elseif not drawn then
    return
  end
  before = colors and before
  drawn, shown = colors, scheme
end

-- What a terminal says of itself stands, as from Neovim 0.11 on it does whenever it changes, where the desktop decides;
-- what the user has said to themed, and a theme's colors, hold against it. The name of a color scheme that sets
-- 'background' itself, as ours does, is gone by then; one that has been loaded by hand stays.
local function answer_terminal(event)
  local sequence = type(event.data) == 'table' and event.data.sequence or event.data
  if not shown or type(sequence) ~= 'string' or not sequence:find('^\27%]11;') then
    return
  end
  local name = vim.g.colors_name
  if palette() and (name == nil or name == 'themed' and vim.o.background ~= shown) then
    load_scheme('themed')
  elseif not palette() and not is_left_to_the_desktop() and vim.o.background ~= shown then
    vim.o.background = shown
  end
end

---@param state themed.State
local function receive(state)
  M.elsewhere = is_elsewhere(state) and state or nil
  if M.elsewhere then
    return
  end
  M.state = state
  -- Before Neovim has started, setting an option triggers no autocommands.
  if vim.v.vim_did_enter == 1 then
    show()
    vim.api.nvim_exec_autocmds('User', { pattern = 'Themed', modeline = false })
  end
end

--- Starts to follow themed, with the options of `vim.g.themed` and of `setup`, unless it does so already.
function M.start()
  if stop then
    return
  end
  options = vim.tbl_extend('force', defaults, vim.g.themed or {}, given)
  if type(options.app) ~= 'string' or type(options.palette) ~= 'boolean' or type(options.ssh) ~= 'boolean' then
    error("themed: the option 'app' has to be a string; 'palette' and 'ssh' have to be true or false", 0)
  end
  local group = vim.api.nvim_create_augroup('themed', {})
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { group = group, nested = true, callback = callback })
  end
  on('VimEnter', function()
    if M.state then
      receive(M.state)
    end
  end)
  on('TermResponse', answer_terminal)
  on('VimLeavePre', M.stop)
  stop = connection.follow({ app = options.app, details = options.palette }, receive)
end

--- Follows themed with these options, which override those of `vim.g.themed`.
---@param new? themed.Options
function M.setup(new)
  M.stop()
  given = vim.tbl_extend('force', given, new or {})
  M.start()
end

--- Stops following themed; what is shown stays.
function M.stop()
  if stop then
    stop()
    stop = nil
    shown, drawn, dropped = nil, nil, {}
    M.state, M.elsewhere = nil, nil
    vim.api.nvim_create_augroup('themed', {})
  end
end

--- The options in use: those of `vim.g.themed` and of `setup`, over the defaults.
---@return themed.Options
function M.options()
  return vim.deepcopy(options)
end

--- Whether the plugin follows themed.
---@return boolean
function M.is_following()
  return stop ~= nil
end

--- Draws with the theme's colors, as `:colorscheme themed` does.
function M.load()
  local colors = palette()
  vim.g.colors_name = nil
  if colors and vim.o.background ~= M.state.scheme then
    vim.o.background = M.state.scheme
  end
  -- This brings what syntax files count on, too.
  vim.cmd('highlight clear')
  if colors then
    require('themed.colors').apply(colors)
  end
  vim.g.colors_name = 'themed'
end

return M
