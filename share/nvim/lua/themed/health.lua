-- :checkhealth themed
local M = {}

function M.check()
  local health = vim.health or require('health')
  local themed = require('themed')
  local path = require('themed.connection').socket_path()
  ;(health.start or health.report_start)('themed')
  if not path then
    (health.error or health.report_error)('the path of the socket is too long: see THEMED_SOCKET')
  elseif not themed.state then
    (health.error or health.report_error)(path .. ' does not answer', { "'themectl doctor' says why" })
  else
    (health.ok or health.report_ok)(('%s says %s'):format(path, themed.state.scheme))
  end
end

return M
