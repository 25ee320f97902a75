-- Starts themed's plugin if the app nvim is enabled: 'themectl app enable nvim'.
if not vim.g.loaded_themed then
  local directory = os.getenv('XDG_CONFIG_HOME') or ''
  if directory:sub(1, 1) ~= '/' then
    directory = (os.getenv('HOME') or '') .. '/.config'
  end
  local list = io.open(directory .. '/themed/apps.enabled')
  if list then
    local names = '\n' .. (list:read('*a') or '') .. '\n'
    list:close()
    if names:find('\n[ \t]*nvim[ \t]*[\n#]') then
      dofile('/usr/share/themed/nvim/plugin/themed.lua')
    end
  end
end
