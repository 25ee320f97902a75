# shellcheck shell=bash disable=SC2034 # it is sourced, and others read what it sets
# themed for bash: prompt, colours and variables follow light and dark at the next prompt, which starts no process.
#
#   themectl app enable bash                     # has themed-apply write what is shown; with the line for .bashrc
#
# It sets $themed_scheme (light or dark), $themed_theme, and the array $themed_palette: a colour, #rrggbb, for each role
# of the theme, such as ${themed_palette[primary]}; without a chosen theme, those of the theme default. What else follows
# is said beside it:
#
#   declare -A themed_light=([BAT_THEME]=GitHub [LS_COLORS]="$(vivid generate ayu)")     # variables, on each side
#   declare -A themed_dark=( [BAT_THEME]=Nord   [LS_COLORS]="$(vivid generate nord)")
#   my-colors() { PS1="$1 \$ "; }; themed_functions+=(my-colors)                         # called with light or dark
#
# Overrides for the name bash count: themectl set dark --app bash. bash cannot read from sockets; themed-apply writes
# what is shown into a file. Nothing in it is evaluated, and what does not look as it should is passed over.

[[ $- == *i* ]] && (( BASH_VERSINFO[0] > 4 || BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] >= 3 )) || return 0

declare -gA themed_light themed_dark themed_palette
declare -ga themed_functions

_themed_prompt() {
  local _themed_status=$? _themed_file=${XDG_STATE_HOME:-$HOME/.local/state}/themed/bash _themed_function
  local -a _themed_lines=()
  [[ -r $_themed_file ]] && mapfile -t -n 256 _themed_lines < "$_themed_file"
  if [[ ${_themed_lines[*]} != "${_themed_last-}" ]]; then
    _themed_last=${_themed_lines[*]}
    if _themed_take "${_themed_lines[@]}"; then
      # Here no variable of a function's own can be meant by a name of the user's.
      [[ $themed_scheme == "${_themed_side-}" ]] || _themed_set
      for _themed_function in "${themed_functions[@]}"; do "$_themed_function" "$themed_scheme"; done
    fi
  fi
  return "$_themed_status"
}

_themed_take() { # _themed_take LINE...
  local line scheme='' theme=''
  local -A palette=()
  for line; do
    if [[ $line =~ ^'color '([[:alnum:]-]+)' '('#'[0123456789abcdef]{6})$ ]]; then
      palette[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
    elif [[ $line =~ ^'scheme '(light|dark)$ ]]; then
      scheme=${BASH_REMATCH[1]}
    elif [[ $line =~ ^'theme '([[:alnum:]._+-]+)$ ]]; then
      theme=${BASH_REMATCH[1]}
    fi
  done
  [[ -n $scheme ]] || return
  themed_scheme=$scheme themed_theme=$theme themed_palette=()
  for line in "${!palette[@]}"; do themed_palette[$line]=${palette[$line]}; done
}

# Sets the variables that are named for this side. One that there is not yet is exported.
_themed_set() {
  _themed_side=$themed_scheme
  local -n _themed_values=themed_$themed_scheme
  local _themed_name
  for _themed_name in "${!_themed_values[@]}"; do
    [[ $_themed_name =~ ^[[:alpha:]_][[:alnum:]_]*$ ]] || continue
    [[ -v $_themed_name ]] || export "$_themed_name="
    printf -v "$_themed_name" %s "${_themed_values[$_themed_name]}"
  done
}

# First of all, so that what else makes the prompt sees it.
[[ ${PROMPT_COMMAND-} == *_themed_prompt* ]] || PROMPT_COMMAND=_themed_prompt${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
