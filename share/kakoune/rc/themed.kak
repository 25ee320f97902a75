# themed for Kakoune: the color scheme follows light and dark at once, in every client. See ':doc themed'.
#
#   source /usr/share/themed/kakoune/rc/themed.kak       # in kakrc; or give a plugin manager the directory
#   themed-enable

declare-option -docstring 'the color scheme for light; if empty, the colors of the theme, or else the scheme default' \
    str themed_light
declare-option -docstring 'the color scheme for dark; if empty, the colors of the theme, or else the scheme default' \
    str themed_dark
# A second load must not reset the options to these values.
try %{ nop %opt{themed_app} } catch %{
    declare-option -docstring 'the name for overriding Kakoune alone: themectl set dark --app kakoune' \
        str themed_app kakoune
    declare-option -docstring 'whether to follow the desktop of this machine in ssh sessions, too' bool themed_ssh false
}
declare-option -docstring 'what themed shows: light or dark' str themed_scheme
declare-option -hidden str-list themed_palette
declare-option -hidden str themed_follower

define-command -override themed-enable -docstring 'themed-enable: follow light, dark and themes' %{
    themed-disable
    evaluate-commands %sh{
        if ! command -v themectl > /dev/null; then
            echo "fail 'themectl is not in PATH: install themed'"
            exit
        fi
        # It sleeps until something changes, survives restarts of the daemon, and exits when its reader is gone.
        themectl monitor --app "$kak_opt_themed_app" source scheme \
            palette.background palette.surface palette.text palette.secondary-text palette.disabled-text \
            palette.primary palette.primary-text palette.selection palette.selection-text palette.cursor \
            palette.cursor-text palette.error palette.warning palette.info palette.link palette.base08 palette.base09 \
            palette.base0A palette.base0B palette.base0C palette.base0D palette.base0E < /dev/null 2> /dev/null | (
            IFS='	' digit='[0123456789abcdef]' words=
            color="#$digit$digit$digit$digit$digit$digit"
            set -f
            while read -r source scheme colors; do
                # The terminal of an ssh session is another machine's, of which only a daemon that is fed from there knows.
                if [ "$kak_opt_themed_ssh" != true ] && [ -n "$SSH_CONNECTION$SSH_TTY" ] && [ "$source" != upstream ]; then
                    continue
                fi
                case $scheme in light | dark) words=$scheme ;; *) continue ;; esac
                # If one of the words is not a color, Kakoune gets the scheme alone.
                for word in $colors; do
                    # shellcheck disable=SC2254 # a pattern
                    case $word in $color) words="$words rgb:${word#\#}" ;; *) words=$scheme; break ;; esac
                done
                echo "themed-show $words" | kak -p "$kak_session" || exit
            done
        ) > /dev/null 2>&1 &
        echo "set-option global themed_follower '$! $(cut -d ' ' -f 22 "/proc/$!/stat")'"
    }
    hook -group themed global KakEnd .* themed-disable
    # The pipe finds the session by its name. A Kakoune older than 2024.05 does not report when that changes.
    try %{ hook -group themed global SessionRenamed .* themed-enable }
}

define-command -override themed-disable -docstring 'themed-disable: stop following; the colors stay' %{
    remove-hooks global themed
    nop %sh{
        # The process may be gone and its number reused, so the start time is compared, too.
        # shellcheck disable=SC2086
        set -- $kak_opt_themed_follower
        [ $# -ne 2 ] || [ "$(cut -d ' ' -f 22 "/proc/$1/stat" 2> /dev/null)" != "$2" ] || kill "$1"
    }
    set-option global themed_follower ''
}

define-command -override themed-status -docstring 'themed-status: show what themed says, and the reason if that is not shown' %{
    evaluate-commands %sh{
        if ! command -v themectl > /dev/null; then
            text='themectl is not in PATH: install themed'
        elif [ -z "$kak_opt_themed_follower" ]; then
            text='not following: run themed-enable'
        elif ! text=$(themectl get --app "$kak_opt_themed_app" source scheme 2>&1); then
            text="themectl: $text"
        else
            source=${text%%[!a-z]*} scheme=${text##*[!a-z]}
            text="themed says $scheme"
            if [ "$kak_opt_themed_ssh" != true ] && [ -n "$SSH_CONNECTION$SSH_TTY" ] && [ "$source" != upstream ]; then
                text="$text, which is not shown in an ssh session: see the option themed_ssh"
            fi
        fi
        printf "echo -- '%s'\n" "$(printf %s "$text" | tr '\n' ' ' | sed "s/'/''/g")"
    }
}

define-command -override -hidden themed-show -params 1.. %{
    set-option global themed_scheme %arg{1}
    set-option global themed_palette %arg{@}
    themed-colors
    trigger-user-hook "themed=%arg{1}"
}

define-command -override themed-colors -docstring 'themed-colors: apply the colors again, after you changed an option' %{
    evaluate-commands %sh{
        case $kak_opt_themed_scheme in
            light) name=$kak_opt_themed_light ;;
            dark) name=$kak_opt_themed_dark ;;
            *) exit ;;
        esac
        # The list holds only light or dark, and valid colors.
        # shellcheck disable=SC2086
        set -- $kak_opt_themed_palette
        if [ -n "$name" ]; then
            printf "colorscheme '%s'\n" "$(printf %s "$name" | sed "s/'/''/g")"
            exit
        elif [ $# -ne 23 ]; then
            echo 'colorscheme default'
            exit
        fi
        background=$2 surface=$3 text=$4 secondary=$5 disabled=$6 primary=$7 primary_text=$8 selection=$9
        shift 9
        selection_text=$1 cursor=$2 cursor_text=$3 error=$4 warning=$5 info=$6 link=$7 red=$8 orange=$9
        shift 9
        yellow=$1 green=$2 cyan=$3 blue=$4 purple=$5
        cat << END
face global Default $text,$background
face global PrimarySelection $selection_text,$selection
face global SecondarySelection $text,$surface
face global PrimaryCursor $cursor_text,$cursor
face global SecondaryCursor $background,$secondary
face global PrimaryCursorEol $cursor_text,$primary
face global SecondaryCursorEol $background,$disabled
face global LineNumbers $disabled
face global LineNumberCursor $text,$surface
face global LineNumbersWrapped $background
face global MenuForeground $primary_text,$primary
face global MenuBackground $text,$surface
face global MenuInfo $secondary
face global Information $text,$surface
face global InlineInformation $text,$surface
face global Error $background,$error
face global DiagnosticError $error
face global DiagnosticWarning $warning
face global StatusLine $text,$surface
face global StatusLineMode $primary,$surface
face global StatusLineInfo $info,$surface
face global StatusLineValue $link,$surface
face global StatusCursor $cursor_text,$cursor
face global Prompt $primary,$surface
face global MatchingChar default,$selection+b
face global BufferPadding $disabled,$background
face global Whitespace $disabled+f
face global value $orange
face global type $yellow
face global variable $red
face global module $blue
face global function $blue
face global string $green
face global keyword $purple
face global operator $text
face global attribute $orange
face global comment $disabled
face global documentation $disabled
face global meta $cyan
face global builtin $cyan
face global title $blue+b
face global header $blue
face global mono $green
face global block $green
face global link $link+u
face global bullet $red
face global list $text
END
    }
}
