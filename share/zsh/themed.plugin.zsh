# themed for zsh: prompt, colours and variables follow light and dark at once, without a key press.
#
#   source /usr/share/themed/zsh/themed.plugin.zsh       # in ~/.zshrc; or give a plugin manager the directory
#
# The plugin sets $themed_scheme (light or dark), $themed_theme, and the array $themed_palette: a colour, #rrggbb, for
# each role of the chosen theme, such as $themed_palette[primary]. The array is empty if you have chosen no theme. To
# let other settings follow, add lines such as these to .zshrc:
#
#   typeset -A themed_light=(BAT_THEME GitHub LS_COLORS "$(vivid generate ayu)")      # variables for light
#   typeset -A themed_dark=( BAT_THEME Nord   LS_COLORS "$(vivid generate nord)")     # variables for dark
#   my-colors() { fast-theme -q my-$1 }; themed_functions+=(my-colors)                # called with light or dark
#   setopt prompt_subst; PROMPT='%F{${themed_palette[primary]-cyan}}%~%f %# '         # the prompt is redrawn
#   zstyle ':themed:' app work                  # a name other than zsh: themectl set dark --app work
#   zstyle ':themed:' ssh yes                   # follow this machine's desktop in ssh sessions, too
#
# In an ssh session the terminal belongs to another machine, so the plugin changes nothing, unless 'themectl share' on
# that machine feeds this one. The plugin detects an ssh session by the environment in which the shell started; this
# also holds in tmux.
#
# The plugin is connected only while you edit a line, because zsh would pass the connection to every program that it
# starts. It never evaluates what it receives, and ignores malformed data. Your shell options and aliases do not affect
# the plugin; your functions run with them. themed_plugin_unload removes the plugin; the variables that it set stay.

# A function without the user's options and aliases reads the rest of this file, because both change how zsh reads code.
# If this code was copied into another file, zsh reads it directly.
if [[ -z "${_themed_is_reading-}" ]]; then
  _themed_load() {
    'builtin' 'emulate' '-LR' 'zsh' '-o' 'no_aliases'
    'builtin' 'local' _themed_is_reading=1 "_themed_path=${(%):-%x}"
    [[ $_themed_path == */themed.plugin.zsh ]] || 'builtin' 'return' '1'
    'builtin' 'source' "$_themed_path"
    'builtin' 'return' '0'
  }
  if _themed_load; then
    'builtin' 'unset' '-f' '_themed_load'
    'builtin' 'return' '0'
  fi
fi

[[ -o interactive ]] && zmodload zsh/net/socket zsh/system zsh/zutil zsh/zleparameter &&
  autoload -Uz add-zsh-hook add-zle-hook-widget || return

typeset -g themed_scheme=${themed_scheme-} themed_theme=${themed_theme-}
typeset -gA themed_light themed_dark themed_palette
typeset -ga themed_functions
# The connection, a timer, what of an answer has come, the last state, the side whose variables are set, the functions
# to call; whether the state is new, whether an answer is late, and the seconds to the next attempt.
typeset -g _themed_fd= _themed_timer= _themed_heard= _themed_state= _themed_side=
typeset -ga _themed_called=()
typeset -gi _themed_is_new=0 _themed_is_late=0 _themed_pause=0

# Once .zshrc has been read: a widget of the user's for the same is called, too.
_themed_start() {
  if [[ -o sh_glob ]]; then _themed_hook 1; else _themed_hook 0; fi
}

# Under sh_glob, what add-zle-hook-widget makes fails: the widgets take the places themselves, and call what was there.
_themed_hook() { # _themed_hook SH_GLOB
  builtin emulate -LR zsh
  add-zsh-hook -d precmd _themed_start
  local hook
  for hook in line-init line-finish; do
    if (( ! $1 )); then
      add-zle-hook-widget $hook _themed_${hook/-/_}
    elif [[ ${widgets[zle-$hook]-} != user:_themed_* ]]; then
      (( ${+widgets[zle-$hook]} )) && builtin zle -A zle-$hook _themed_own_$hook
      builtin zle -N zle-$hook _themed_${hook/-/_}
    fi
  done
}

_themed_unhook() {
  builtin emulate -LR zsh
  add-zsh-hook -d precmd _themed_start
  local hook
  for hook in line-init line-finish; do
    if [[ ${widgets[zle-$hook]-} != user:_themed_* ]]; then
      add-zle-hook-widget -d $hook _themed_${hook/-/_}
    elif (( ${+widgets[_themed_own_$hook]} )); then
      builtin zle -A _themed_own_$hook zle-$hook
      builtin zle -D _themed_own_$hook
    else
      builtin zle -D zle-$hook
    fi
  done
}

# Connects, and has the answer before a command can be typed; if it did not come in time once, nobody waits for the
# next.
_themed_line_init() {
  if builtin zle -l _themed_own_line-init; then builtin zle _themed_own_line-init -f nolast -N -- "$@" || builtin true; fi
  _themed_begin || return 0
  _themed_listen "$_themed_fd" '' 0.1
}

_themed_begin() {
  builtin emulate -LR zsh
  _themed_pause=0
  _themed_connect && (( ! _themed_is_late )) || return 1
  _themed_is_late=1
}

_themed_line_finish() {
  if builtin zle -l _themed_own_line-finish; then
    builtin zle _themed_own_line-finish -f nolast -N -- "$@" || builtin true
  fi
  _themed_end
}

_themed_end() {
  builtin emulate -LR zsh
  _themed_close $_themed_fd
  _themed_close $_themed_timer
  _themed_fd= _themed_timer=
}

_themed_connect() {
  builtin emulate -LR zsh
  [[ -z $_themed_fd ]] || return 0
  local socket=${THEMED_SOCKET:-${XDG_RUNTIME_DIR:-/run/user/$UID}/themed/org.themed.theme} app REPLY
  [[ -S $socket ]] && zsocket $socket 2> /dev/null || return 1
  _themed_fd=$REPLY _themed_heard=
  builtin zle -F $_themed_fd _themed_listen
  zstyle -s ':themed:' app app || app=zsh
  app=${${app//\\/\\\\}//\"/\\\"}
  syswrite -o $_themed_fd \
    '{"method":"org.themed.theme.Monitor","parameters":{"app":"'$app'","details":true},"more":true}'$'\0' 2> /dev/null
  # An end of the connection is read.
  return 0
}

_themed_close() { # _themed_close DESCRIPTOR
  builtin emulate -LR zsh
  [[ -n ${1-} ]] || return 0
  builtin zle -F $1
  exec {1}>&-
}

# After an end it connects again, and gives up after two minutes: the next prompt tries it, too. In a function of sched,
# zsh would not see a new descriptor until a key is pressed.
_themed_later() {
  builtin emulate -LR zsh
  (( _themed_pause < 64 )) || return 0
  _themed_pause=$(( _themed_pause ? _themed_pause * 2 : 1 ))
  exec {_themed_timer}< <(exec sleep $_themed_pause)
  builtin zle -F $_themed_timer _themed_again
}

_themed_again() {
  builtin emulate -LR zsh
  _themed_close $1
  _themed_timer=
  _themed_connect || _themed_later
}

# Calls the user's functions and draws the user's prompt, so it runs under the user's options: every line of it has to
# work under each of them.
_themed_listen() { # _themed_listen DESCRIPTOR CONDITION [SECONDS]: as zle -F calls it
  _themed_hear "${1-}" "${3-}" || return 0
  local _themed_function
  for _themed_function in "${_themed_called[@]}"; do "$_themed_function" "$themed_scheme" || builtin true; done
  if builtin zle; then builtin zle reset-prompt || builtin true; fi
}

# Whether there is a new state, whose variables are set then.
_themed_hear() { # _themed_hear DESCRIPTOR SECONDS
  builtin emulate -LR zsh
  if ! _themed_read ${2:-0}; then
    _themed_close $1
    _themed_fd=
    _themed_later
  fi
  (( _themed_is_new )) || return 1
  _themed_is_new=0
  _themed_called=("${themed_functions[@]}")
  # Here no variable of a function's own can be meant by a name of the user's.
  [[ $themed_scheme == $_themed_side ]] || _themed_set
  return 0
}

# Reads what there is, and takes the newest whole answer. Fails where the connection has ended.
_themed_read() { # _themed_read SECONDS
  builtin emulate -LR zsh -o no_multibyte
  local chunk
  local -a chunks
  sysread -i $_themed_fd -s 65536 -t $1 chunk
  case $? in
    (0) _themed_heard+=$chunk ;;
    (4) return 0 ;; # nothing in this time
    (*) return 1 ;;
  esac
  (( $#_themed_heard <= 2097152 )) || return 1
  chunks=("${(@ps:\0:)_themed_heard}")
  (( $#chunks > 1 )) || return 0
  _themed_heard=$chunks[-1] _themed_is_late=0 _themed_pause=0
  _themed_take "$chunks[-2]"
}

# Takes the state out of its JSON. A quote within a text is \" there, so that what is looked for fits names of members
# alone, and the first scheme and the first palette are the state's own. To split costs a quarter of what patterns do.
_themed_take() { # _themed_take ANSWER
  builtin emulate -LR zsh -o extended_glob -o no_multibyte
  local mark='"palette":{' color='"[[:alnum:]-]##":"\#[[:xdigit:]](#c6)"' state palette scheme theme
  local -a parts
  parts=("${(@ps:$mark:)1}")
  state=$parts[1]
  if (( $#parts > 1 )); then
    mark='}' parts=("${(@ps:$mark:)parts[2]}")
    palette=$parts[1] state+=$parts[2,-1]
  fi
  # The terminal of an ssh session is another machine's, of which only a daemon that is fed from there knows.
  if [[ -n ${SSH_CONNECTION-}${SSH_TTY-} && $state != *'"desktop":{"rule":"upstream"'* ]]; then
    zstyle -t ':themed:' ssh || return 0
  fi
  mark='"scheme":"' parts=("${(@ps:$mark:)state}")
  scheme=${parts[2]%%\"*}
  [[ $scheme == (light|dark) ]] || return 0
  mark='"theme":"' parts=("${(@ps:$mark:)state}")
  theme=${parts[2]%%\"*}
  [[ $theme == [[:alnum:]._+-]## ]] || theme=
  state="$scheme $theme $palette"
  [[ $state != $_themed_state ]] || return 0
  parts=(${(M)${(s:,:)palette}:#$~color})
  _themed_state=$state _themed_is_new=1
  themed_scheme=$scheme themed_theme=$theme themed_palette=(${(s,:,)${(j,:,)parts//\"/}})
}

# Sets the variables that are named for this side. One that there is not yet is exported, one that is read-only stays.
_themed_set() {
  builtin emulate -LR zsh -o extended_glob
  _themed_side=$themed_scheme
  local -A _themed_values
  [[ $themed_scheme == light ]] && _themed_values=("${(@kv)themed_light}") || _themed_values=("${(@kv)themed_dark}")
  local _themed_name
  for _themed_name in ${(k)_themed_values}; do
    [[ $_themed_name == [A-Za-z_][A-Za-z0-9_]# && ${(tP)_themed_name} != *readonly* ]] || continue
    (( ${(P)+_themed_name} )) || builtin export $_themed_name=
    : ${(P)_themed_name::=$_themed_values[$_themed_name]}
  done
}

themed_plugin_unload() {
  builtin emulate -LR zsh
  _themed_end
  _themed_unhook
  unfunction -m '_themed_*'
  unset -m '_themed_*'
  unfunction themed_plugin_unload
}

add-zsh-hook precmd _themed_start
