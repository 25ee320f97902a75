# themed for fish: prompt, colors and variables follow light and dark at once, in every shell.
#
#   themectl app enable fish        # makes themed-apply notify each fish, and lets each fish read this file
#
# The plugin sets $themed_scheme (light or dark), $themed_theme, and a color for each role of the theme, such as
# $themed_color_primary. If you have chosen no theme, it has the colors of the theme "default". To let other settings
# follow, add lines such as these to config.fish:
#
#   set -g themed_light_BAT_THEME GitHub    # a variable, here BAT_THEME, for light
#   set -g themed_dark_BAT_THEME Nord       # the same variable for dark
#   function my-colors --on-event themed    # called with light or dark
#       fish_config theme choose "ayu $argv[1]"
#   end
#
# To override fish alone, run: themectl set dark --app fish. Because fish cannot read from sockets, themed-apply
# writes the state into a file and sends SIGWINCH, which is harmless. The plugin never evaluates what is in that file,
# and ignores malformed lines. Functions of yours with the names of fish's own commands do not affect the plugin.
#
# In an ssh session the terminal belongs to another machine, so the plugin changes nothing, unless 'themectl share' on
# that machine feeds this one; the plugin asks themectl about that when the file has changed or a share has begun. With
# 'set -g themed_ssh yes' it follows the desktop of this machine in ssh sessions, too. The plugin detects an ssh session
# by the environment in which the shell started; this also holds in tmux.

status is-interactive; or exit

# First when all of config.fish has been read: until then signals tell nothing.
function _themed_start --on-event fish_prompt
    builtin functions --erase _themed_start
    _themed_read
end

# Whether a state that was refused in this ssh session may be shown now: 'themectl share' has made its socket since.
function _themed_is_fed
    set --query _themed_refused; or return 1
    set -l _themed_socket "$THEMED_SOCKET"
    test -n "$_themed_socket"; or set _themed_socket $XDG_RUNTIME_DIR/themed/org.themed.theme
    if not test -S "$_themed_socket.upstream"
        set -e _themed_asked
        return 1
    end
    # The socket also stays when its daemon was killed, so themectl is asked at ever fewer prompts.
    set -g _themed_asked (builtin math 0$_themed_asked + 1)
    builtin contains -- $_themed_asked 1 2 4 8 16 32 64 128 256 512 1024
end

function _themed_again --on-event fish_prompt
    _themed_is_fed; or return 0
    set -e _themed_text
    _themed_read
end

function _themed_read --on-signal SIGWINCH --description 'Read what themed shows, if it has changed'
    builtin functions --query _themed_start; and return 0
    # By such names no variable of the user's is meant.
    # The service may have another XDG_STATE_HOME than this shell; the runtime directory is the same for both.
    set -l _themed_file
    for _themed_place in $XDG_RUNTIME_DIR/themed-apply/shown $XDG_STATE_HOME/themed ~/.local/state/themed
        set _themed_place $_themed_place/fish
        test -r $_themed_place; and set _themed_file $_themed_place; and break
    end
    test -n "$_themed_file"; or return 0
    read --null --local _themed_new <$_themed_file
    test "$_themed_new" != "$_themed_text"; or return 0
    set -g _themed_text $_themed_new
    set -e _themed_refused
    # The terminal of an ssh session is another machine's, of which only a daemon that is fed from there knows.
    if test -n "$SSH_CONNECTION$SSH_TTY"; and test "$themed_ssh" != yes
        set -l _themed_source
        command --query themectl; and set _themed_source (command themectl get source 2>/dev/null)
        if test "$_themed_source" != upstream
            set -g _themed_refused yes
            return 0
        end
    end

    set -l _themed_lines (builtin string split \n -- $_themed_new)
    set -l _themed_side (builtin string match --regex '^scheme (light|dark)$' -- $_themed_lines)[2]
    test -n "$_themed_side"; or return 0
    set -g themed_theme (builtin string match --regex '^theme ([A-Za-z0-9._+-]+)$' -- $_themed_lines)[2]
    for _themed_line in $_themed_lines
        set -l _themed_color (builtin string match --regex '^color ([a-z0-9-]+) (#[0-9a-f]{6})$' -- $_themed_line)
        and set -g themed_color_(builtin string replace --all - _ $_themed_color[2]) $_themed_color[3]
    end
    if test "$_themed_side" != "$themed_scheme"
        set -g themed_scheme $_themed_side
        for _themed_name in (set --names | builtin string match --regex "^themed_"$_themed_side"_.+")
            set -l _themed_variable (builtin string replace --regex '^themed_[a-z]+_' '' $_themed_name)
            # One that there is not yet is exported.
            if set --query $_themed_variable; and not set --query --export $_themed_variable
                set -g $_themed_variable $$_themed_name
            else
                set -gx $_themed_variable $$_themed_name
            end
        end
    end
    builtin emit themed $_themed_side
    builtin commandline -f repaint 2>/dev/null
end
