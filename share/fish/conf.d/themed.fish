# themed for fish: prompt, colors and variables follow light and dark at once, in every shell.
#
#   themectl app enable fish --write        # has themed-apply tell each fish; the line for config.fish comes with it
#
# It sets $themed_scheme (light or dark), $themed_theme, and a color for each role of the theme, such as
# $themed_color_primary; without a chosen theme, those of the theme default. What else follows is said in config.fish:
#
#   set -g themed_light_BAT_THEME GitHub    # a variable, here BAT_THEME, on each side
#   set -g themed_dark_BAT_THEME Nord
#   function my-colors --on-event themed    # called with light or dark
#       fish_config theme choose "ayu $argv[1]"
#   end
#
# Overrides for the name fish count: themectl set dark --app fish. fish cannot read from sockets; themed-apply writes
# what is shown into a file, and tells by SIGWINCH, which harms none. Nothing in the file is evaluated, and what does
# not look as it should is passed over.

status is-interactive; or exit

function _themed_read --on-signal SIGWINCH --description 'Read what themed shows, where it is something else'
    set -l state $XDG_STATE_HOME
    test -n "$state"; or set state ~/.local/state
    test -r $state/themed/fish; or return 0
    read --null --local text <$state/themed/fish
    test "$text" != "$_themed_text"; or return 0
    set -g _themed_text $text

    set -l lines (string split \n -- $text)
    set -l scheme (string match --regex '^scheme (light|dark)$' -- $lines)[2]
    test -n "$scheme"; or return 0
    set -g themed_theme (string match --regex '^theme ([A-Za-z0-9._-]+)$' -- $lines)[2]
    for line in $lines
        set -l color (string match --regex '^color ([a-z0-9-]+) (#[0-9a-f]{6})$' -- $line)
        and set -g themed_color_(string replace --all - _ $color[2]) $color[3]
    end
    if test "$scheme" != "$themed_scheme"
        set -g themed_scheme $scheme
        for name in (set --names | string match --regex "^themed_"$scheme"_.+")
            set -l variable (string replace --regex '^themed_[a-z]+_' '' $name)
            # One that there is not yet is exported.
            if set --query $variable; and not set --query --export $variable
                set -g $variable $$name
            else
                set -gx $variable $$name
            end
        end
    end
    emit themed $scheme
    commandline -f repaint 2>/dev/null
end

# First when all of config.fish has been read.
function _themed_start --on-event fish_prompt
    functions --erase _themed_start
    _themed_read
end
