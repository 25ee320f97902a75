"""Twelve lived-in homes, for matrix.py: each keeps its dotfiles in a different way.

A home is a dictionary from a path below HOME to the text of a file, or to a Link. PLAIN has settings without colours,
COLORED has the user's own colours, too, which would hide those of the theme. `mine` shows that a file is still read.
"""

import functools
import os
import shlex
import subprocess

HOME = "/tmp/home"


class Link(str):
    """Where a symbolic link leads."""


# A bar whose command prints text without colours.
_BAR = "bar {\n    position bottom\n    status_command while echo 'up ____'; do sleep 5; done\n"
# The colours of Polybar's own example, by their names.
_POLYBAR = """[colors]
background = #282A2E
background-alt = #373B41
foreground = #C5C8C6
primary = #F0C674
disabled = #707880
[bar/top]
background = {}
foreground = {}
modules-left = date
[module/date]
type = internal/date
date = %Y
label-foreground = ${{colors.primary}}
"""
_XFCE = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-terminal" version="1.0">
  <property name="misc-bell" type="bool" value="false"/>
{}</channel>
"""

PLAIN = {
    "alacritty": "[font]\nsize = 9\n",
    "bash": "mine=1\nHISTCONTROL=ignoreboth\nshopt -s histappend\nPS1='\\u@\\h:\\w\\$ '\nalias ll='ls -l'\n",
    "bat": "--style=plain\n--paging=never\n",
    "bspwm": "#!/bin/sh\nbspc monitor -d I II III\nbspc config border_width 20\nbspc config window_gap 3\n",
    "btop": "update_ms = 2000\nproc_tree = False\n",
    "delta": "[user]\n\tname = Somebody\n\temail = somebody@example.org\n[alias]\n\tst = status\n",
    "dunst": "[global]\n    font = Monospace 8\n    width = 300\n",
    "emacs": "(setq inhibit-startup-screen t)\n(menu-bar-mode -1)\n(setq mine t)\n",
    "fish": "set -g mine 1\nset -g fish_greeting\nalias ll 'ls -l'\n",
    "foot": "font=monospace:size=9\npad=3x3\n",
    "fuzzel": "width=40\nlines=8\n",
    "helix": "[editor]\nmouse = false\nline-number = \"relative\"\n",
    "herbstluftwm": "#!/bin/sh\nherbstclient attr theme.border_width 20\nherbstclient set frame_gap 3\n",
    "i3": "# i3 config file (v4)\nfont pango:monospace 8\nbindsym Mod4+Return exec xterm\n" + _BAR + "}\n",
    "kakoune": "set-option global tabstop 4\nadd-highlighter global/ number-lines\n",
    "kitty": "update_check_interval 0\nfont_size 10.0\nenable_audio_bell no\n",
    "labwc": "<?xml version=\"1.0\"?>\n<labwc_config><theme><cornerRadius>4</cornerRadius></theme></labwc_config>\n",
    "lxterminal": "[general]\nfontname=Monospace 9\nscrollback=2000\n",
    "mako": "font=monospace 9\ndefault-timeout=5000\n",
    "nvim": "vim.g.mine = 1\nvim.o.number = true\nvim.g.mapleader = ' '\n",
    "polybar": _POLYBAR.format("${colors.background}", "${colors.foreground}"),
    "rofi": "configuration {\n    modi: \"drun,run\";\n}\n",
    "starship": "add_newline = false\n[directory]\ntruncation_length = 3\n",
    "sway": "default_border normal 8\nset $mod Mod4\nbindsym $mod+Return exec foot\n" + _BAR + "}\n",
    "swaylock": "ignore-empty-password\nindicator-radius=60\n",
    "swaync": "{\n  \"positionX\": \"right\",\n  \"timeout\": 10\n}\n",
    "tmux": "set -g mouse on\nset -g base-index 1\n",
    "tofi": "font-size = 20\nwidth = 400\n",
    "vim": "let mine = 1\nset nocompatible number\nsyntax on\n",
    "waybar": "* { font-size: 12px; }\n",
    "wob": "width = 300\nheight = 40\n",
    "wofi": "width=400\nallow_images=false\n",
    "xfce4-terminal": _XFCE.format(""),
    "xresources": "XTerm*scrollBar: false\nXTerm*saveLines: 5000\n",
    "zathura": "set guioptions s\n",
    "zsh": "mine=1\nsetopt inc_append_history\nPROMPT='%n@%m:%~%# '\nalias ll='ls -l'\n",
}

_KITTY = "foreground #c0caf5\nbackground #1a1b26\ncursor #c0caf5\ncolor1 #f7768e\ncolor2 #9ece6a\n"
_ALACRITTY = '[colors.primary]\nbackground = "#1a1b26"\nforeground = "#c0caf5"\n[colors.normal]\nred = "#f7768e"\n'
_FOOT = "[colors]\nforeground=c0caf5\nbackground=1a1b26\nregular1=f7768e\n"
_ROFI = (
    "* {\n    background-color: #1a1b26;\n    text-color: #c0caf5;\n}\n"
    "element selected { background-color: #7aa2f7; }\n")
_WAYBAR = (
    "@define-color bg #1a1b26;\n* { font-family: monospace; font-size: 12px; }\n"
    "window#waybar { background-color: @bg; color: #c0caf5; border-bottom: 2px solid #7aa2f7; }\n"
    "#workspaces button { background: transparent; color: #c0caf5; }\n"
    "#workspaces button.focused { background: #7aa2f7; color: #1a1b26; }\n#clock { color: #e0af68; padding: 0 8px; }\n")
_I3 = (
    "client.focused #7aa2f7 #7aa2f7 #1a1b26 #bb9af7 #7aa2f7\n"
    "client.unfocused #24283b #24283b #c0caf5 #24283b #24283b\n")
_BAR_COLORS = (
    "    colors {\n        background #1a1b26\n        statusline #c0caf5\n"
    "        focused_workspace #7aa2f7 #7aa2f7 #1a1b26\n        inactive_workspace #1a1b26 #1a1b26 #565f89\n    }\n")
_TMUX = (
    "set -g status-style 'fg=#c0caf5,bg=#1a1b26'\nset -g window-status-current-style 'fg=#1a1b26,bg=#7aa2f7'\n"
    "set -g status-left '#[fg=#c0caf5,bold] #S #[default]'\n"
    "set -g status-right '#[fg=#e0af68]%H:%M#[fg=colour111] #h '\n"
    "set -g window-status-current-format '#[fg=#1a1b26,bg=#7aa2f7] #I #W '\n")
_MAKO = "background-color=#1a1b26\ntext-color=#c0caf5\nborder-color=#7aa2f7\n"
_DUNST = "[urgency_normal]\n    background = \"#1a1b26\"\n    foreground = \"#c0caf5\"\n"
_SWAYNC = (
    ".notification-row .notification-background .notification { background: #1a1b26; border: 1px solid #7aa2f7; }\n"
    ".notification-row .notification-background .notification .notification-default-action "
    ".notification-content .text-box .summary { color: #c0caf5; }\n"
    ".notification-row .notification-background .notification .notification-default-action "
    ".notification-content .text-box .body { color: #a9b1d6; }\n"
    ".control-center { background: #16161e; color: #c0caf5; }\n")
_FUZZEL = "[colors]\nbackground=1a1b26ff\ntext=c0caf5ff\nselection=7aa2f7ff\nselection-text=1a1b26ff\n"

COLORED = {
    "alacritty": PLAIN["alacritty"] + _ALACRITTY,
    "bash": PLAIN["bash"] + "export LS_COLORS='di=1;34'\n",
    "bat": PLAIN["bat"] + "--theme=\"Nord\"\n",
    "bspwm": PLAIN["bspwm"] + "bspc config focused_border_color '#7aa2f7'\nbspc config normal_border_color '#24283b'\n",
    "btop": PLAIN["btop"] + "color_theme = \"TTY\"\n",
    "delta": PLAIN["delta"] + "[core]\n\tpager = delta\n[delta]\n\tdark = true\n\tsyntax-theme = Nord\n",
    "dunst": PLAIN["dunst"] + _DUNST,
    "emacs": PLAIN["emacs"] + "(load-theme 'wombat t)\n",
    "fish": PLAIN["fish"] + "set -g fish_color_command blue\n",
    "foot": PLAIN["foot"] + _FOOT,
    "fuzzel": PLAIN["fuzzel"] + _FUZZEL,
    "helix": "theme = \"gruvbox\"\n" + PLAIN["helix"],
    "herbstluftwm": PLAIN["herbstluftwm"] + "herbstclient attr theme.active.color '#7aa2f7'\n",
    "i3": PLAIN["i3"].replace(_BAR, _BAR + _BAR_COLORS) + _I3,
    "kakoune": PLAIN["kakoune"] + "colorscheme gruvbox-dark\n",
    "kitty": PLAIN["kitty"] + _KITTY,
    "labwc": PLAIN["labwc"],
    "lxterminal": PLAIN["lxterminal"] + "bgcolor=rgb(26,27,38)\nfgcolor=rgb(192,202,245)\n",
    "mako": PLAIN["mako"] + _MAKO,
    "nvim": PLAIN["nvim"] + "vim.o.background = 'dark'\nvim.cmd('colorscheme desert')\n",
    "polybar": PLAIN["polybar"],
    "rofi": PLAIN["rofi"] + _ROFI,
    "starship": "palette = \"mine\"\n" + PLAIN["starship"] + (
        "[palettes.mine]\nblue = \"#7aa2f7\"\ngreen = \"#9ece6a\"\ncyan = \"#7dcfff\"\nred = \"#f7768e\"\n"),
    "sway": PLAIN["sway"].replace(_BAR, _BAR + _BAR_COLORS) + _I3,
    "swaylock": PLAIN["swaylock"] + "color=1a1b26\n",
    "swaync": PLAIN["swaync"],
    "tmux": PLAIN["tmux"] + _TMUX,
    "vim": PLAIN["vim"] + "set background=dark\ncolorscheme desert\n",
    "tofi": PLAIN["tofi"] + "background-color = #1a1b26\ntext-color = #c0caf5\nselection-color = #7aa2f7\n",
    "waybar": _WAYBAR,
    "wob": PLAIN["wob"] + "background_color = 1a1b26\nbar_color = 7aa2f7\n",
    "wofi": PLAIN["wofi"],
    "xfce4-terminal": _XFCE.format(
        "  <property name=\"color-background\" type=\"string\" value=\"#1a1b26\"/>\n"
        "  <property name=\"color-foreground\" type=\"string\" value=\"#c0caf5\"/>\n"),
    "xresources": PLAIN["xresources"] + "*background: #1a1b26\n*foreground: #c0caf5\n*color1: #f7768e\n",
    "zathura": PLAIN["zathura"] + "set default-bg \"#1a1b26\"\nset default-fg \"#c0caf5\"\n",
    "zsh": PLAIN["zsh"] + "typeset -gA ZSH_HIGHLIGHT_STYLES\nZSH_HIGHLIGHT_STYLES[command]='fg=blue'\n",
}

# Colours that some programs read from a file of their own.
STYLES = {
    "labwc/themerc-override": "window.active.title.bg.color: #1a1b26\nwindow.active.label.text.color: #c0caf5\n",
    "swaync/style.css": _SWAYNC,
    "wofi/style.css":
        "window { background-color: #1a1b26; color: #c0caf5; }\n#input { background-color: #24283b; color: #c0caf5; }\n"
        "#entry:selected { background-color: #7aa2f7; }\n#entry:selected #text { color: #1a1b26; }\n",
}

# What other programs keep in the settings database of the desktop: schema, key, value, and whether it is a colour.
_GNOME_TERMINAL = (
    "org.gnome.Terminal.Legacy.Profile:/org/gnome/terminal/legacy/profiles:/:b1dcc9dd-5262-4d8d-a863-c897e6d979b9/")
_MATE_TERMINAL = "org.mate.terminal.profile:/org/mate/terminal/profiles/default/"
_TILIX = "com.gexperts.Tilix.Profile:/com/gexperts/Tilix/profiles/2b7c4080-0ddd-46c5-8f23-563fd3ba789d/"
SETTINGS = [
    (_GNOME_TERMINAL, "scrollback-lines", "5000", False),
    (_GNOME_TERMINAL, "use-theme-colors", "false", True),
    (_GNOME_TERMINAL, "background-color", "#1a1b26", True),
    (_GNOME_TERMINAL, "foreground-color", "#c0caf5", True),
    (_MATE_TERMINAL, "scrollback-lines", "5000", False),
    (_MATE_TERMINAL, "use-theme-colors", "false", True),
    (_MATE_TERMINAL, "background-color", "#1a1b26", True),
    (_MATE_TERMINAL, "foreground-color", "#c0caf5", True),
    (_TILIX, "scrollback-lines", "5000", False),
    (_TILIX, "use-theme-colors", "false", True),
    (_TILIX, "background-color", "#1a1b26", True),
    (_TILIX, "foreground-color", "#c0caf5", True),
]

# Where people put it: first the old place, then the one below XDG_CONFIG_HOME.
PLACES = {
    "alacritty": (".alacritty.toml", "alacritty/alacritty.toml"),
    "bash": (".bashrc", None),
    "bat": (None, "bat/config"),
    "bspwm": (None, "bspwm/bspwmrc"),
    "btop": (None, "btop/btop.conf"),
    "delta": (".gitconfig", "git/config"),
    "dunst": (None, "dunst/dunstrc"),
    "emacs": (".emacs", "emacs/init.el"),
    "fish": (None, "fish/config.fish"),
    "foot": (None, "foot/foot.ini"),
    "fuzzel": (None, "fuzzel/fuzzel.ini"),
    "helix": (None, "helix/config.toml"),
    "herbstluftwm": (None, "herbstluftwm/autostart"),
    "i3": (".i3/config", "i3/config"),
    "kakoune": (None, "kak/kakrc"),
    "kitty": (None, "kitty/kitty.conf"),
    "labwc": (None, "labwc/rc.xml"),
    "lxterminal": (None, "lxterminal/lxterminal.conf"),
    "mako": (None, "mako/config"),
    "nvim": (None, "nvim/init.lua"),
    "polybar": (None, "polybar/config.ini"),
    "rofi": (None, "rofi/config.rasi"),
    "starship": (None, "starship.toml"),
    "sway": (".sway/config", "sway/config"),
    "swaylock": (".swaylock/config", "swaylock/config"),
    "swaync": (None, "swaync/config.json"),
    "tmux": (".tmux.conf", "tmux/tmux.conf"),
    "tofi": (None, "tofi/config"),
    "vim": (".vimrc", "vim/vimrc"),
    "waybar": (None, "waybar/style.css"),
    "wob": (None, "wob/wob.ini"),
    "wofi": (None, "wofi/config"),
    "xfce4-terminal": (None, "xfce4/xfconf/xfce-perchannel-xml/xfce4-terminal.xml"),
    "xresources": (".Xresources", None),
    "zathura": (None, "zathura/zathurarc"),
    "zsh": (".zshrc", None),
}


@functools.cache
def reads_new_place():
    """Whether this Vim reads XDG_CONFIG_HOME: from 9.1.327."""
    words = ["vim", "-u", "NONE", "-i", "NONE", "-es", "-c", "put =v:versionlong", "-c", "print", "-c", "quit!"]
    told = subprocess.run(words, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    return told.strip().isdigit() and int(told) >= 9010327


@functools.cache
def knows_appname():
    """Whether this Neovim knows NVIM_APPNAME: from 0.9."""
    words = ["nvim", "-u", "NONE", "--headless", "-c", "echo has('nvim-0.9')", "-c", "quit"]
    told = subprocess.run(words, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return (told.stdout + told.stderr).strip() == "1"


def placed(texts, is_classic=False, config=".config"):
    """The files of a home that keeps these texts in the old places, or in those below XDG_CONFIG_HOME."""
    found = {}
    for name, text in texts.items():
        old, new = PLACES[name]
        place = old if old and (is_classic or not new) else f"{config}/{new}"
        if place.endswith("vim/vimrc") and not reads_new_place():
            place = ".vim/vimrc"
        found[place] = text
    return found


def colored(is_classic=False):
    """A home with colours of the user's own, also in files that hold nothing else."""
    return placed(COLORED, is_classic) | {f".config/{path}": text for path, text in STYLES.items()}


def linked(files, store):
    """The same home with each file in another directory, and a link in its place."""
    found = {}
    for path, text in files.items():
        found[f"{store}/{path}"] = text
        up = "../" * path.count("/")
        found[path] = Link((up if not store.startswith("/") else "") + f"{store}/{path}")
    return found


def included():
    """Colours of the user's own in files that the program's main file includes."""
    texts = dict(PLAIN)
    texts.update(
        alacritty='[general]\nimport = ["~/.config/alacritty/tokyonight.toml"]\n' + PLAIN["alacritty"],
        kitty=PLAIN["kitty"] + "include tokyonight.conf\n",
        bspwm=PLAIN["bspwm"] + ". ~/.config/bspwm/tokyonight\n",
        herbstluftwm=PLAIN["herbstluftwm"] + ". ~/.config/herbstluftwm/tokyonight\n",
        tofi=PLAIN["tofi"] + "include = tokyonight\n",
        foot="include=~/.config/foot/tokyonight.ini\n" + PLAIN["foot"],
        rofi=PLAIN["rofi"] + "@theme \"tokyonight\"\n",
        waybar="@import \"tokyonight.css\";\n" + _WAYBAR.replace("@define-color bg #1a1b26;\n", ""),
        i3=PLAIN["i3"] + "include ~/.config/i3/tokyonight\n",
        sway=PLAIN["sway"] + "include ~/.config/sway/config.d/*\n",
        tmux=PLAIN["tmux"] + "source-file ~/.config/tmux/tokyonight.conf\n",
        mako="include=~/.config/mako/tokyonight\n" + PLAIN["mako"],
        fuzzel="include=~/.config/fuzzel/tokyonight.ini\n" + PLAIN["fuzzel"],
        bash=PLAIN["bash"] + "for file in ~/.bashrc.d/*; do . \"$file\"; done\n",
        vim=PLAIN["vim"] + "runtime own.vim\n",
        nvim="require('options')\nrequire('colors')\n",
        xresources=PLAIN["xresources"] + "#include \".Xresources.d/colors\"\n",
        delta=PLAIN["delta"] + "[include]\n\tpath = tokyonight.gitconfig\n",
    )
    return placed(texts) | {
        ".config/alacritty/tokyonight.toml": _ALACRITTY,
        ".config/kitty/tokyonight.conf": _KITTY,
        ".config/bspwm/tokyonight": "bspc config focused_border_color '#7aa2f7'\n",
        ".config/herbstluftwm/tokyonight": "herbstclient attr theme.active.color '#7aa2f7'\n",
        ".config/tofi/tokyonight": "background-color = #1a1b26\ntext-color = #c0caf5\n",
        ".config/wofi/style.css": "@import \"tokyonight.css\";\nwindow { background-color: @bg; color: #c0caf5; }\n",
        ".config/wofi/tokyonight.css": "@define-color bg #1a1b26;\n",
        ".config/foot/tokyonight.ini": _FOOT,
        ".config/rofi/themes/tokyonight.rasi": _ROFI,
        ".config/waybar/tokyonight.css": "@define-color bg #1a1b26;\n",
        ".config/i3/tokyonight": _I3,
        ".config/sway/config.d/colors": _I3,
        ".config/tmux/tokyonight.conf": _TMUX,
        ".config/mako/tokyonight": _MAKO,
        ".config/fuzzel/tokyonight.ini": _FUZZEL,
        ".config/dunst/dunstrc.d/50-colors.conf": _DUNST,
        ".bashrc.d/aliases": "alias la='ls -a'\n",
        ".vim/own.vim": "set background=dark\n",
        ".config/nvim/lua/options.lua": PLAIN["nvim"],
        ".config/nvim/lua/colors.lua": "vim.cmd('colorscheme desert')\n",
        ".Xresources.d/colors": "*background: #1a1b26\n*foreground: #c0caf5\n",
        ".config/git/tokyonight.gitconfig": "[delta]\n\tsyntax-theme = Nord\n",
    }


def plugged():
    """Plugin managers with a theme plugin each, as their own documentation shows them."""
    texts = dict(PLAIN)
    texts.update(
        tmux=PLAIN["tmux"] + "set -g @plugin 'catppuccin/tmux'\nrun '~/.config/tmux/plugins/tpm/tpm'\n",
        bash=PLAIN["bash"] + "[ -r ~/.cache/wal/sequences ] && cat ~/.cache/wal/sequences\n",
        nvim="vim.g.mine = 1\nvim.opt.rtp:prepend(vim.fn.stdpath('data') .. '/lazy/lazy.nvim')\n"
        "require('lazy').setup('plugins')\n"
        "vim.cmd('colorscheme catppuccin')\n",
        fish="set -g mine 1\nset -g fish_greeting\nstarship init fish | source\n",
        kitty=PLAIN["kitty"] + "# BEGIN_KITTY_THEME\n# Tokyo Night\ninclude current-theme.conf\n# END_KITTY_THEME\n",
        zsh="",
    )
    zsh = (
        "mine=1\nsource $ZDOTDIR/.antidote/antidote.zsh\nantidote load\n"
        "[[ ! -f $ZDOTDIR/.p10k.zsh ]] || source $ZDOTDIR/.p10k.zsh\nPROMPT='%~ %# '\n")
    files = placed(texts)
    del files[".zshrc"]
    return files | {
        # As `kitten themes` writes them.
        ".config/kitty/current-theme.conf": _KITTY,
        ".config/kitty/dark-theme.auto.conf": _KITTY,
        ".config/kitty/light-theme.auto.conf": "background #fafafa\nforeground #383a42\n",
        ".zshenv": "export ZDOTDIR=~/.config/zsh\n",
        ".config/zsh/.zshrc": zsh,
        ".config/zsh/.p10k.zsh": "typeset -g POWERLEVEL9K_MODE=ascii\n",
        ".config/zsh/.antidote/antidote.zsh": "antidote() { :; }\n",
        ".config/tmux/plugins/tpm/tpm": "#!/bin/sh\nexec ~/.config/tmux/plugins/tmux/catppuccin.tmux\n",
        ".config/tmux/plugins/tmux/catppuccin.tmux":
            "#!/bin/sh\ntmux set -g status-style 'fg=#cdd6f4,bg=#1e1e2e'\n"
            "tmux set -g window-status-current-format '#[fg=#11111b,bg=#cba6f7] #I #W '\n",
        ".local/share/nvim/lazy/lazy.nvim/lua/lazy/init.lua":
            "return { setup = function() vim.opt.rtp:append(vim.fn.stdpath('data') .. '/lazy/catppuccin') end }\n",
        ".local/share/nvim/lazy/catppuccin/colors/catppuccin.lua":
            "vim.g.colors_name = 'catppuccin'\n"
            "local dark = vim.o.background == 'dark'\n"
            "vim.api.nvim_set_hl(0, 'Normal', { fg = dark and '#cdd6f4' or '#4c4f69', bg = dark and '#1e1e2e' or "
            "'#eff1f5' })\n",
        ".config/nvim/lua/plugins/init.lua": "return {}\n",
        ".cache/wal/sequences": "\033]11;#101010\033\\\033]10;#e0e0e0\033\\",
    }


def distributions():
    """The shapes of LazyVim, Doom Emacs and oh-my-tmux."""
    texts = dict(PLAIN)
    texts.update(
        nvim="require(\"config.lazy\")\n",
        emacs=";; Doom's own file\n(load (expand-file-name \"core\" user-emacs-directory))\n")
    files = placed(texts)
    del files[".config/tmux/tmux.conf"]
    return files | {
        ".config/nvim/lua/config/lazy.lua": 
            "vim.g.mine = 1\nvim.opt.rtp:prepend(vim.fn.stdpath('data') .. '/lazy/lazy.nvim')\n"
            "vim.cmd('colorscheme desert')\n",
        ".config/nvim/lua/config/options.lua": PLAIN["nvim"],
        ".config/nvim/lazy-lock.json": "{}\n",
        ".config/emacs/early-init.el": "(setq package-enable-at-startup nil)\n",
        ".config/emacs/core.el": "(load (expand-file-name \"config.el\" \"~/.config/doom\"))\n",
        ".config/doom/config.el": "(setq mine t)\n(load-theme 'wombat t)\n",
        ".config/doom/init.el": "(setq doom-modules '(:ui doom))\n",
        ".local/share/tmux/oh-my-tmux/.tmux.conf":
            "set -g mouse on\n"
            "if-shell -b '[ -f ~/.config/tmux/tmux.conf.local ]' 'source ~/.config/tmux/tmux.conf.local'\n"
            "set -g status-style 'fg=#8a8a8a,bg=#080808'\n",
        ".config/tmux/tmux.conf": Link(f"{HOME}/.local/share/tmux/oh-my-tmux/.tmux.conf"),
        ".config/tmux/tmux.conf.local": "set -g base-index 1\n",
    }


def variables():
    """Settings by environment variables, which the session has, too."""
    files = placed(PLAIN)
    moved = {"kitty/kitty.conf": "kit/kitty.conf", "starship.toml": "ship.toml", "bat/config": "batrc",
             "git/config": "gitrc"} | ({"nvim/init.lua": "nv/init.lua"} if knows_appname() else {})
    for old, new in moved.items():
        files[f".config/{new}"] = files.pop(f".config/{old}")
    return files, {
        "KITTY_CONFIG_DIRECTORY": f"{HOME}/.config/kit", "STARSHIP_CONFIG": f"{HOME}/.config/ship.toml",
        "BAT_CONFIG_PATH": f"{HOME}/.config/batrc", "GIT_CONFIG_GLOBAL": f"{HOME}/.config/gitrc",
        "BAT_THEME": "Nord", "FZF_DEFAULT_OPTS": "--layout=reverse --color=bg:#123456",
    } | ({"NVIM_APPNAME": "nv"} if knows_appname() else {})


def homes():
    """Each home: its files, its variables, its shell, and the directory that is read-only."""
    moved = placed(PLAIN, config="cfg")
    moved["batcave/config"] = moved.pop("cfg/bat/config")
    with_variables, its_variables = variables()
    return {
        "empty": ({}, {}, "bash", None),
        "classic": (placed(PLAIN, is_classic=True), {}, "bash", None),
        "xdg": (placed(PLAIN), {}, "zsh", None),
        "moved": (moved, {"XDG_CONFIG_HOME": f"{HOME}/cfg", "BAT_CONFIG_DIR": f"{HOME}/batcave"}, "bash", None),
        "stow": (linked(placed(PLAIN), "dotfiles"), {}, "fish", None),
        "store": (linked(placed(PLAIN), "/tmp/store"), {}, "bash", "/tmp/store"),
        "plugins": (plugged(), {"ZDOTDIR": f"{HOME}/.config/zsh"}, "zsh", None),
        "distributions": (distributions(), {}, "zsh", None),
        "colors": (colored(), {}, "bash", None),
        "classic-colors": (colored(is_classic=True), {}, "zsh", None),
        "includes": (included(), {}, "bash", None),
        "variables": (with_variables, its_variables, "bash", None),
    }


def build(name):
    """Makes this home at HOME, and returns its variables."""
    files, variables_of_it, shell, store = homes()[name]
    if store:
        os.makedirs(store, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "store", store], check=True)
    for path, text in files.items():
        path = path if path.startswith("/") else f"{HOME}/{path}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if isinstance(text, Link):
            os.symlink(text, path)
            continue
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if text.startswith("#!"):
            os.chmod(path, 0o755)
    if store:
        subprocess.run(["mount", "-o", "remount,ro", store], check=True)
    if files:
        settings = [one[:3] for one in SETTINGS if "colors" in name or not one[3]]
        commands = [shlex.join(("gsettings", "set", *one)) for one in settings]
        subprocess.run(
            ["dbus-run-session", "--", "sh", "-c", "; ".join(commands)], check=False, env=os.environ | variables_of_it,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return variables_of_it | {"SHELL": f"/usr/bin/{shell}"}
