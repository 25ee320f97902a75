-- :checkhealth themed
local M = {}

function M.check()
  local health = vim.health or require('health')
  local themed = require('themed')
  local connection = require('themed.connection')
  local path = connection.socket_path()
  ;(health.start or health.report_start)('themed')
  if not path then
    (health.error or health.report_error)('the path of the socket is too long: check $THEMED_SOCKET')
  elseif not themed.is_following() then
    (health.warn or health.report_warn)('the plugin is not following themed: see :help themed.start() and :messages')
  elseif connection.failure then
    (health.error or health.report_error)(path .. ': ' .. connection.failure, { "'themectl doctor' may say why" })
  elseif themed.elsewhere then
    (health.ok or health.report_ok)(
      ('%s says %s, which is not shown in an ssh session: see :help themed-ssh'):format(path, themed.elsewhere.scheme)
    )
  elseif not themed.state then
    (health.error or health.report_error)(path .. ' does not answer', { "'themectl doctor' may say why" })
  else
    (health.ok or health.report_ok)(('%s says %s'):format(path, themed.state.scheme))
  end
end

return M
