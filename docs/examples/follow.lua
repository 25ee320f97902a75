-- Prints the scheme that themed reports for this program, now and after each change; connects again if themed restarts.
-- It needs the modules posix and cjson (in Debian lua-posix and lua-cjson). Run it with: lua follow.lua
local json, socket, unistd = require("cjson"), require("posix.sys.socket"), require("posix.unistd")
local signal = require("posix.signal")

local app = "org.example.Follow" -- `themectl set dark --app org.example.Follow` reaches this program alone
local function variable(name) return os.getenv(name) ~= "" and os.getenv(name) or nil end
local runtime = variable("XDG_RUNTIME_DIR") or "/run/user/" .. unistd.getuid()
local path = variable("THEMED_SOCKET") or runtime .. "/themed/org.themed.theme"
local call = json.encode({ method = "org.themed.theme.Monitor", more = true, parameters = { app = app } }) .. "\0"
local last

local function show(reply)
  if reply.error then -- trying again would not help
    io.stderr:write("themed refused the call: ", reply.error, "\n")
    os.exit(1)
  end
  local scheme = reply.parameters.state.scheme
  if scheme ~= last then io.write(scheme, "\n") end -- it is the same if another field changed, or themed restarted
  if not io.stdout:flush() then os.exit(1) end -- the reader has exited
  last = scheme
end

signal.signal(signal.SIGPIPE, signal.SIG_IGN) -- themed can close the connection before the call is sent
while true do
  local daemon = assert(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0))
  local rest = "" -- a reply can arrive in parts, and several at once
  local data = socket.connect(daemon, { family = socket.AF_UNIX, path = path }) and socket.send(daemon, call) and ""
  while data do
    rest = (rest .. data):gsub("([^%z]*)%z", function(reply) show(json.decode(reply)) return "" end)
    data = socket.recv(daemon, 65536)
    if data == "" then data = nil end -- themed has closed the connection
  end
  unistd.close(daemon)
  unistd.sleep(1) -- themed is not running, or is restarting
end
