-- One call of Monitor over themed's socket. Each reply is a JSON object that ends with a NUL and has the whole state.
local uv = vim.uv or vim.loop

---@class themed.Connection
---@field failure? string The last error, for :checkhealth; nil if there is none.
local M = {}

-- Milliseconds until the next attempt: the first delay, which doubles each time, and the longest.
local shortest_delay, longest_delay = 100, 30000
-- The longest reply in bytes; themed sends no longer one.
local longest_reply = 1048576
-- The longest path of a socket in bytes; the kernel would cut off a longer one.
local longest_path = 107

--- The path of themed's socket; nil if the path is too long.
---@return string?
function M.socket_path()
  local directory = os.getenv('XDG_RUNTIME_DIR') or ''
  -- The directory as systemd creates it, for ssh sessions in which no variable names it.
  if directory:sub(1, 1) ~= '/' then
    directory = '/run/user/' .. uv.getuid()
  end
  local path = os.getenv('THEMED_SOCKET') or ''
  if path == '' then
    path = directory .. '/themed/org.themed.theme'
  end
  return #path <= longest_path and path or nil
end

-- The state in a reply, or nil and an error.
---@param reply string
---@return themed.State? state
---@return string? problem
local function read(reply)
  local is_json, message = pcall(vim.json.decode, reply, { luanil = { object = true, array = true } })
  if not is_json or type(message) ~= 'table' then
    return nil, 'its reply is not from themed; check $THEMED_SOCKET'
  end
  if type(message.error) == 'string' then
    return nil, 'it refused the call: ' .. message.error
  end
  local state = type(message.parameters) == 'table' and message.parameters.state
  if type(state) ~= 'table' or (state.scheme ~= 'light' and state.scheme ~= 'dark') then
    return nil, 'its reply has neither light nor dark'
  end
  return state
end

--- Calls `receive` on the main loop with the state now and after each change, and skips outdated states. Returns a
--- function that stops it.
---@param parameters { app: string, details: boolean }
---@param receive fun(state: themed.State)
---@return fun() stop
function M.follow(parameters, receive)
  local call = vim.json.encode({ method = 'org.themed.theme.Monitor', parameters = parameters, more = true })
  local timer, pipe = uv.new_timer(), nil
  local delay, is_stopped, newest, problem = shortest_delay, false, nil, nil
  local connect

  local function disconnect()
    if pipe and not pipe:is_closing() then
      pipe:close()
    end
    pipe = nil
  end

  local function try_later(failure)
    disconnect()
    M.failure = failure
    newest = nil
    if not is_stopped then
      timer:start(delay, 0, connect)
      delay = math.min(delay * 2, longest_delay)
    end
  end

  -- Shows an error once that does not go away by itself, and tries again after the longest delay.
  local function complain(text)
    delay = longest_delay
    try_later(text)
    if problem ~= text then
      problem = text
      vim.notify('themed: ' .. text, vim.log.levels.WARN)
    end
  end

  local function deliver()
    local reply = newest
    newest = nil
    if is_stopped or not reply then
      return
    end
    local state, wrong = read(reply)
    if not state then
      return complain(wrong)
    end
    delay, problem, M.failure = shortest_delay, nil, nil
    receive(state)
  end

  function connect()
    local path, rest = M.socket_path(), ''
    if is_stopped or not path then
      return
    end
    local own = uv.new_pipe(false)
    pipe = own
    local function listen(failure, bytes)
      if own ~= pipe then
        return
      end
      if failure or not bytes then
        return try_later(failure or 'it closed the connection')
      end
      rest = rest .. bytes
      local before_last, last = rest:match('^(.*)%z([^%z]*)$')
      if before_last then
        local is_asked = newest ~= nil
        newest, rest = before_last:match('([^%z]*)$'), last
        if not is_asked then
          vim.schedule(deliver)
        end
      elseif #rest > longest_reply then
        try_later('its reply is too long')
      end
    end
    own:connect(path, function(failure)
      if own ~= pipe then
        return
      end
      if failure then
        return try_later(failure)
      end
      own:read_start(listen)
      own:write(call .. '\0')
    end)
  end

  connect()
  return function()
    is_stopped = true
    disconnect()
    timer:stop()
    if not timer:is_closing() then
      timer:close()
    end
  end
end

return M
