# shellcheck shell=bash disable=SC2034 # it is sourced, and others read what it sets
# themed for bash: prompt, colours and variables follow light and dark at the next prompt, without starting a process.
#
#   themectl app enable bash                     # makes themed-apply write the state, and adds the line to .bashrc
#
# The plugin sets $themed_scheme (light or dark), $themed_theme, and the array $themed_palette: a colour, #rrggbb, for
# each role of the theme, such as ${themed_palette[primary]}. If you have chosen no theme, it has the colours of the
# theme "default". To let other settings follow, add lines such as these to .bashrc:
#
#   declare -A themed_light=([BAT_THEME]=GitHub [LS_COLORS]="$(vivid generate ayu)")     # variables for light
#   declare -A themed_dark=( [BAT_THEME]=Nord   [LS_COLORS]="$(vivid generate nord)")    # variables for dark
#   my-colors() { PS1="$1 \$ "; }; themed_functions+=(my-colors)                         # called with light or dark
#
# To override bash alone, run: themectl set dark --app bash. Because bash cannot read from sockets, themed-apply writes
# the state into a file. The plugin never evaluates what is in that file, and ignores malformed lines. Your shell
# options and aliases do not affect the plugin; your functions run with them.
#
# In an ssh session the terminal belongs to another machine, so the plugin changes nothing, unless 'themectl share' on
# that machine feeds this one; the plugin asks themectl about that when the file has changed or a share has begun. Set
# themed_ssh=yes to follow the desktop of this machine in ssh sessions, too. The plugin detects an ssh session by the
# environment in which the shell started; this also holds in tmux.

[[ $- == *i* ]] && (( BASH_VERSINFO[0] > 4 || BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] >= 3 )) || return 0

# Aliases count where code is read. They are back at the end.
\shopt -q expand_aliases && _themed_aliases=-s || _themed_aliases=-u
\shopt -u expand_aliases

declare -gA themed_light themed_dark themed_palette
declare -ga themed_functions

# What stands here and in the functions below works under every option: an empty array counts as unset under 'set -u', a
# test that fails ends the shell under 'set -e' unless something asks for it, and 'set -k' takes assignments for others.
# No variable has a name that the user's may have: his could be read-only.
_themed_prompt() {
  local _themed_status=$?
  _themed_look || builtin true
  # Code after it in the same string must see the status. Otherwise nothing may, neither 'set -e' nor a trap for ERR.
  [[ $- != *e* && ${PROMPT_COMMAND-} != _themed_prompt ]] || _themed_status=0
  return "$_themed_status"
}

_themed_look() {
  _themed_read || return 0
  # Here no variable of a function's own can be meant by a name of the user's.
  [[ $themed_scheme == "${_themed_side-}" ]] || _themed_set
  local _themed_function
  for _themed_function in ${themed_functions[@]+"${themed_functions[@]}"}; do
    "$_themed_function" "$themed_scheme"
  done
}

# Whether the file says something else than before.
_themed_read() {
  local IFS _themed_file
  IFS=$' \t\n'
  # The service may have another XDG_STATE_HOME than this shell; the runtime directory is the same for both.
  _themed_file=${XDG_RUNTIME_DIR:-/run/user/$UID}/themed-apply/shown/bash
  [[ -r $_themed_file ]] || _themed_file=${XDG_STATE_HOME:-$HOME/.local/state}/themed/bash
  [[ -r $_themed_file ]] || _themed_file=$HOME/.local/state/themed/bash
  local -a _themed_lines
  _themed_lines=()
  [[ -r $_themed_file ]] && builtin mapfile -t -n 256 _themed_lines < "$_themed_file"
  [[ ${_themed_lines[*]-} != "${_themed_last-}" ]] || _themed_is_fed || return
  _themed_last=${_themed_lines[*]-} _themed_refused=
  # The terminal of an ssh session is another machine's, of which only a daemon that is fed from there knows.
  if [[ -n ${SSH_CONNECTION-}${SSH_TTY-} && ${themed_ssh-} != yes &&
    $(command themectl get source 2> /dev/null) != upstream ]]; then
    _themed_refused=$(( ${SECONDS-0} + 2 ))
    return 1
  fi
  _themed_take ${_themed_lines[@]+"${_themed_lines[@]}"}
}

# Whether what was refused in this ssh session may be shown now: 'themectl share' has begun since, and made its socket.
_themed_is_fed() {
  [[ -n ${_themed_refused-} ]] && (( ${SECONDS-0} >= _themed_refused || _themed_refused > ${SECONDS-0} + 2 )) &&
    [[ -S ${THEMED_SOCKET:-${XDG_RUNTIME_DIR:-/run/user/$UID}/themed/org.themed.theme}.upstream ]]
}

_themed_take() { # _themed_take LINE...
  local _themed_line _themed_new_scheme _themed_new_theme
  local -A _themed_new_palette
  _themed_new_scheme='' _themed_new_theme='' _themed_new_palette=()
  for _themed_line; do
    if [[ $_themed_line =~ ^'color '([[:alnum:]-]+)' '('#'[0123456789abcdef]{6})$ ]]; then
      _themed_new_palette[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
    elif [[ $_themed_line =~ ^'scheme '(light|dark)$ ]]; then
      _themed_new_scheme=${BASH_REMATCH[1]}
    elif [[ $_themed_line =~ ^'theme '([[:alnum:]._+-]+)$ ]]; then
      _themed_new_theme=${BASH_REMATCH[1]}
    fi
  done
  [[ -n $_themed_new_scheme ]] || return
  themed_scheme=$_themed_new_scheme themed_theme=$_themed_new_theme themed_palette=()
  for _themed_line in "${!_themed_new_palette[@]}"; do
    themed_palette[$_themed_line]=${_themed_new_palette[$_themed_line]}
  done
}

# Sets the variables that are named for this side. One that there is not yet is exported, one that is read-only stays.
_themed_set() {
  _themed_side=$themed_scheme
  local -n _themed_values
  _themed_values=themed_$themed_scheme
  local _themed_name
  for _themed_name in "${!_themed_values[@]}"; do
    [[ $_themed_name =~ ^[[:alpha:]_][[:alnum:]_]*$ ]] || continue
    if [[ ! -v $_themed_name ]]; then
      builtin export "$_themed_name="
    elif (( BASH_VERSINFO[0] > 4 || BASH_VERSINFO[1] >= 4 )) && [[ ${!_themed_name@a} == *r* ]]; then
      continue
    fi
    builtin printf -v "$_themed_name" %s "${_themed_values[$_themed_name]}"
  done
}

# First of all, so that what else makes the prompt sees it.
if [[ ${PROMPT_COMMAND[*]-} != *_themed_prompt* ]]; then
  if ! (unset PROMPT_COMMAND) 2> /dev/null; then
    builtin echo "themed: cannot follow: PROMPT_COMMAND is read-only; put _themed_prompt into it first" >&2
  elif (( BASH_VERSINFO[0] > 5 || BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 1 )); then
    PROMPT_COMMAND=(_themed_prompt ${PROMPT_COMMAND[@]+"${PROMPT_COMMAND[@]}"})
  else
    # shellcheck disable=SC2128,SC2178 # it was a string then
    PROMPT_COMMAND=_themed_prompt${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
  fi
fi

\shopt "$_themed_aliases" expand_aliases
\unset _themed_aliases
