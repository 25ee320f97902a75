# themed for zsh: prompt, colours and variables follow light and dark at once, without a key pressed.
#
#   source /usr/share/themed/zsh/themed.plugin.zsh       # in ~/.zshrc; a plugin manager takes the directory
#
# It sets $themed_scheme (light or dark), $themed_theme, and the array $themed_palette: a colour, #rrggbb, for each role
# of the chosen theme, such as $themed_palette[primary]; empty without one. What else follows is said beside it:
#
#   typeset -A themed_light=(BAT_THEME GitHub LS_COLORS "$(vivid generate ayu)")      # variables, of each side
#   typeset -A themed_dark=( BAT_THEME Nord   LS_COLORS "$(vivid generate nord)")
#   my-colors() { fast-theme -q my-$1 }; themed_functions+=(my-colors)                # called with light or dark
#   setopt prompt_subst; PROMPT='%F{${themed_palette[primary]-cyan}}%~%f %# '         # a prompt is drawn anew
#   zstyle ':themed:' app work                  # another name than zsh: themectl set dark --app work
#
# It is connected while a line is edited, and only then: zsh would hand the connection on to every program that it
# starts. Nothing that is heard is evaluated, and what does not look as it should is passed over.
# themed_plugin_unload takes all of it away but what it has set.

[[ -o interactive ]] && zmodload zsh/net/socket zsh/system && autoload -Uz add-zsh-hook add-zle-hook-widget || return

typeset -g themed_scheme themed_theme
typeset -gA themed_light themed_dark themed_palette
typeset -ga themed_functions
# The connection, a timer, what of an answer has come, the last state, the side whose variables are set; whether the state
# is new, whether an answer is late, and the seconds to the next attempt.
typeset -g _themed_fd= _themed_timer= _themed_heard= _themed_state= _themed_side=
typeset -gi _themed_is_new=0 _themed_is_late=0 _themed_pause=0

# Once .zshrc has been read: a widget of the user's for the same is called, too.
_themed_start() {
  add-zsh-hook -d precmd _themed_start
  add-zle-hook-widget line-init _themed_line_init
  add-zle-hook-widget line-finish _themed_line_finish
}

# Connects, and has the answer before a command can be typed; if it did not come in time once, nobody waits for the next.
_themed_line_init() {
  _themed_pause=0
  _themed_connect && (( ! _themed_is_late )) || return 0
  _themed_is_late=1
  _themed_listen $_themed_fd '' 0.1
}

_themed_line_finish() {
  _themed_close $_themed_fd
  _themed_close $_themed_timer
  _themed_fd= _themed_timer=
}

_themed_connect() {
  emulate -L zsh
  [[ -z $_themed_fd ]] || return 0
  local socket=${THEMED_SOCKET:-${XDG_RUNTIME_DIR:-/run/user/$UID}/themed/org.themed.theme} app REPLY
  [[ -S $socket ]] && zsocket $socket 2> /dev/null || return 1
  _themed_fd=$REPLY _themed_heard=
  zle -F $_themed_fd _themed_listen
  zstyle -s ':themed:' app app || app=zsh
  app=${${app//\\/\\\\}//\"/\\\"}
  syswrite -o $_themed_fd \
    '{"method":"org.themed.theme.Monitor","parameters":{"app":"'$app'","details":true},"more":true}'$'\0' 2> /dev/null
  # An end of the connection is read.
  return 0
}

_themed_close() { # _themed_close DESCRIPTOR
  [[ -n $1 ]] || return 0
  zle -F $1
  exec {1}>&-
}

# After an end it connects again, and gives up after two minutes: the next prompt tries it, too. In a function of sched,
# zsh would not see a new descriptor until a key is pressed.
_themed_later() {
  (( _themed_pause < 64 )) || return 0
  _themed_pause=$(( _themed_pause ? _themed_pause * 2 : 1 ))
  exec {_themed_timer}< <(exec sleep $_themed_pause)
  zle -F $_themed_timer _themed_again
}

_themed_again() {
  _themed_close $1
  _themed_timer=
  _themed_connect || _themed_later
}

_themed_listen() { # _themed_listen DESCRIPTOR CONDITION [SECONDS]: as zle -F calls it
  if ! _themed_read ${3:-0}; then
    _themed_close $1
    _themed_fd=
    _themed_later
  fi
  (( _themed_is_new )) || return 0
  _themed_is_new=0
  # Here no variable of a function's own can be meant by a name of the user's.
  [[ $themed_scheme == $_themed_side ]] || _themed_set
  local _themed_function
  for _themed_function in "${themed_functions[@]}"; do "$_themed_function" "$themed_scheme"; done
  zle && zle reset-prompt
}

# Reads what there is, and takes the newest whole answer. Fails where the connection has ended.
_themed_read() { # _themed_read SECONDS
  emulate -L zsh
  setopt no_multibyte
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
  emulate -L zsh
  setopt extended_glob no_multibyte
  local mark='"palette":{' color='"[[:alnum:]-]##":"\#[[:xdigit:]](#c6)"' state palette scheme theme
  local -a parts
  parts=("${(@ps:$mark:)1}")
  state=$parts[1]
  if (( $#parts > 1 )); then
    mark='}' parts=("${(@ps:$mark:)parts[2]}")
    palette=$parts[1] state+=$parts[2,-1]
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

# Sets the variables that are named for this side. One that there is not yet is exported.
_themed_set() {
  emulate -L zsh
  setopt extended_glob
  _themed_side=$themed_scheme
  local -A _themed_values
  [[ $themed_scheme == light ]] && _themed_values=("${(@kv)themed_light}") || _themed_values=("${(@kv)themed_dark}")
  local _themed_name
  for _themed_name in ${(k)_themed_values}; do
    [[ $_themed_name == [A-Za-z_][A-Za-z0-9_]# ]] || continue
    (( ${(P)+_themed_name} )) || export $_themed_name=
    : ${(P)_themed_name::=$_themed_values[$_themed_name]}
  done
}

themed_plugin_unload() {
  _themed_line_finish
  add-zsh-hook -d precmd _themed_start
  add-zle-hook-widget -d line-init _themed_line_init
  add-zle-hook-widget -d line-finish _themed_line_finish
  unfunction -m '_themed_*'
  unset -m '_themed_*'
  unfunction themed_plugin_unload
}

add-zsh-hook precmd _themed_start
