" Makes Vim light or dark as themed says. See :help themed. The plugin makes one call of Monitor over themed's socket.
" Each reply is a JSON object that ends with a NUL and has the whole state.
let s:save_cpo = &cpo
set cpo&vim

" Milliseconds until the next attempt: the first delay, which doubles each time, and the longest.
let s:shortest_delay = 100
let s:longest_delay = 30000
" The longest reply in bytes; themed sends no longer one.
let s:longest_reply = 1048576
" The longest path of a socket in bytes; the kernel would cut off a longer one.
let s:longest_path = 107

let s:delay = s:shortest_delay
let s:timer = -1
let s:rest = ''
let s:problem = ''
" The last error; empty if there is none.
let s:failure = ''
" The state that is not shown because this is an ssh session.
let s:elsewhere = {}
" The scheme that was set last.
let s:shown = ''
" The color schemes that Vim dropped because they set 'background' themselves, by the scheme that they were for.
let s:dropped = {}

" The newest state, as org.themed.theme(7) describes it; empty until there is a state to show.
function! themed#state() abort
  return get(s:, 'state', {})
endfunction

" What themed says, and the reason if it is not shown: the text that :ThemedStatus prints.
function! themed#status() abort
  let path = s:socket_path()
  if path == ''
    return 'themed: the path of the socket is too long: check $THEMED_SOCKET'
  elseif !exists('s:channel') && s:timer == -1
    return 'themed: the plugin is not following themed: see :help themed#start()'
  elseif s:failure != ''
    return printf("themed: %s: %s; run 'themectl doctor' to find out why", path, s:failure)
  elseif !empty(s:elsewhere)
    return printf('themed: %s says %s, which is not shown in an ssh session: see :help themed-ssh', path,
          \ s:elsewhere.scheme)
  elseif empty(themed#state())
    return printf("themed: %s does not answer; run 'themectl doctor' to find out why", path)
  endif
  return printf('themed: %s says %s', path, s:state.scheme)
endfunction

" Starts to follow themed, with the options in g:themed, unless it does so already.
function! themed#start() abort
  if !exists('s:channel') && s:timer == -1
    let s:delay = s:shortest_delay
    let s:shown = ''
    let s:dropped = {}
    call s:connect()
  endif
endfunction

" Stops following themed; what is shown stays.
function! themed#stop() abort
  call timer_stop(s:timer)
  let s:timer = -1
  let s:state = {}
  let s:elsewhere = {}
  call s:disconnect()
endfunction

" The path of themed's socket; empty if the path is too long.
function! s:socket_path() abort
  let path = $THEMED_SOCKET
  if path == ''
    let path = ($XDG_RUNTIME_DIR[0] == '/' ? $XDG_RUNTIME_DIR : s:usual_directory()) .. '/themed/org.themed.theme'
  endif
  return len(path) <= s:longest_path ? path : ''
endfunction

" The directory for sockets as systemd creates it, for ssh sessions in which no variable names it. Vim has no function
" for the user's number, so the kernel is asked.
function! s:usual_directory() abort
  let lines = filereadable('/proc/self/status') ? readfile('/proc/self/status', '', 64) : []
  return '/run/user/' .. matchstr(get(filter(lines, 'v:val =~# "^Uid:"'), 0, ''), '\d\+')
endfunction

function! s:connect(...) abort
  let s:timer = -1
  let path = s:socket_path()
  if path == ''
    return
  endif
  let call = {'method': 'org.themed.theme.Monitor', 'more': v:true}
  let call.parameters = {'app': get(get(g:, 'themed', {}), 'app', 'vim')}
  let s:rest = ''
  try
    let s:channel = ch_open('unix:' .. path, {'mode': 'raw', 'callback': function('s:receive'),
          \ 'close_cb': function('s:lose')})
    call ch_sendraw(s:channel, json_encode(call))
    call ch_sendraw(s:channel, 0z00)
  catch /^Vim\%((\a\+)\)\=:E/
    call s:try_later(matchstr(v:exception, 'E\d\+:.*'))
  endtry
endfunction

function! s:disconnect() abort
  if exists('s:channel')
    let channel = s:channel
    unlet s:channel
    if ch_status(channel) != 'fail' && ch_status(channel) != 'closed'
      call ch_close(channel)
    endif
  endif
endfunction

function! s:try_later(failure) abort
  let s:failure = a:failure
  call s:disconnect()
  if s:timer == -1
    let s:timer = timer_start(s:delay, function('s:connect'))
    let s:delay = min([s:delay * 2, s:longest_delay])
  endif
endfunction

function! s:lose(channel) abort
  if exists('s:channel') && a:channel is s:channel
    call s:try_later('it closed the connection')
  endif
endfunction

" Shows an error once that does not go away by itself, and tries again after the longest delay.
function! s:complain(text) abort
  let s:delay = s:longest_delay
  call s:try_later(a:text)
  if s:problem != a:text
    let s:problem = a:text
    echohl WarningMsg
    echomsg 'themed: ' .. a:text
    echohl None
  endif
endfunction

" A channel hands over a NUL as a newline, which JSON has none of.
function! s:receive(channel, bytes) abort
  if !exists('s:channel') || a:channel isnot s:channel
    return
  endif
  let parts = split(s:rest .. a:bytes, "\n", 1)
  let s:rest = parts[-1]
  if len(parts) > 1
    call s:read(parts[-2])
  elseif len(s:rest) > s:longest_reply
    call s:try_later('its reply is too long')
  endif
endfunction

function! s:read(reply) abort
  try
    let message = json_decode(a:reply)
    if type(get(message, 'error')) == v:t_string
      return s:complain('it refused the call: ' .. message.error)
    endif
    let state = message.parameters.state
    let scheme = state.scheme
  catch /^Vim\%((\a\+)\)\=:E/
    return s:complain('its reply is not from themed; check $THEMED_SOCKET')
  endtry
  if type(scheme) != v:t_string || (scheme !=# 'light' && scheme !=# 'dark')
    return s:complain('its reply has neither light nor dark')
  endif
  let s:delay = s:shortest_delay
  let s:problem = ''
  let s:failure = ''
  let s:elsewhere = s:is_elsewhere(state) ? state : {}
  if empty(s:elsewhere)
    let s:state = state
    call s:show()
  endif
endfunction

" The rule that decided a field of a state.
function! s:rule(state, field) abort
  let origins = get(a:state, 'origins', {})
  let origin = type(origins) == v:t_dict ? get(origins, a:field, {}) : {}
  return type(origin) == v:t_dict ? get(origin, 'rule', '') : ''
endfunction

" Whether themed has only its own default. Vim may know better, because it has asked its terminal.
function! s:is_a_guess() abort
  return s:rule(s:state, 'scheme') is# 'default' && get(s:state, 'desktop') is# 'unavailable'
endfunction

" Whether a state is for another display than Vim's: this is an ssh session, and the state is that of this machine's
" desktop. A state that 'themectl share' sends comes from the other machine.
function! s:is_elsewhere(state) abort
  return !get(get(g:, 'themed', {}), 'ssh', 0) && $SSH_CONNECTION .. $SSH_TTY != ''
        \ && s:rule(a:state, 'desktop') isnot# 'upstream'
endfunction

" Sets 'background'. Vim drops a color scheme that sets 'background' itself, such as desert, so it is loaded again when
" its side comes back, unless another color scheme is set by then.
function! s:set_background() abort
  let [name, side] = [get(g:, 'colors_name', ''), &background]
  let &background = s:shown
  if name != '' && !exists('g:colors_name')
    let s:dropped[side] = name
  endif
  let dropped = has_key(s:dropped, s:shown) ? remove(s:dropped, s:shown) : ''
  if dropped != '' && !exists('g:colors_name')
    execute 'silent! colorscheme' fnameescape(dropped)
  endif
endfunction

" What the user set by hand stays until the scheme changes.
function! s:show() abort
  if s:shown !=# s:state.scheme && !(s:shown == '' && s:is_a_guess())
    let s:shown = s:state.scheme
    call s:set_background()
  endif
  if exists('#User#Themed')
    doautocmd <nomodeline> User Themed
  endif
endfunction

let &cpo = s:save_cpo
unlet s:save_cpo
