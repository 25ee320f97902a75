"""The programs that are measured: each is opened as a user has it, and shows the theme's background.

What it shows is what it draws in a terminal of ours, or, of a terminal, what it answers when it is asked.
What ends in _itself has nothing of ours: the keys D and L have it do as little as it can be dark or light by.
"""

from desktop import PACKAGE, Desktop, Fifo, Screen, Terminal

# So that changes need not be a tenth of a second apart; the first of several is told at once in any case. A terminal that
# takes its time on purpose, to fade, is none that is slow.
CONFIGURATION = "[portal]\nsettle-time=1\n[appearance]\ntransition=0\n"


def scheme(desktop: Desktop) -> None:
    """A color scheme for Neovim and Vim whose background follows 'background', as a user's does."""
    light, dark = (desktop.palettes[side]["background"] for side in ("light", "dark"))
    desktop.write("colors/bench.vim", f"""
        hi clear
        let g:colors_name = 'bench'
        exe 'hi Normal guifg=#808080 guibg=' .. (&background ==# 'dark' ? '{dark}' : '{light}')
        """)


def opened_neovim(desktop: Desktop, name: str, follows: str) -> Screen:
    scheme(desktop)
    init = desktop.write(f"{name}.vim", f"""
        set termguicolors shortmess+=I
        let &runtimepath ..= ',{desktop.place},{PACKAGE}/share/nvim'
        {follows}
        """)
    return Screen(desktop, ["nvim", "-n", "-i", "NONE", "-u", init])


def neovim(desktop: Desktop) -> Screen:
    """With what a user types, and a color scheme that follows 'background'."""
    return opened_neovim(desktop, "neovim", "colorscheme bench")


def background_keys() -> str:
    return """colorscheme bench
        let g:loaded_themed = 1
        nnoremap D <Cmd>set background=dark<CR>
        nnoremap L <Cmd>set background=light<CR>
        set background=light"""


def neovim_itself(desktop: Desktop) -> Screen:
    return opened_neovim(desktop, "itself", background_keys())


def neovim_palette(desktop: Desktop) -> Screen:
    """It draws with the theme's colors: all of its groups are set."""
    return opened_neovim(desktop, "palette", "let g:themed = {'palette': v:true}")


# What auto-dark-mode.nvim asks the portal with: every 3 s, or where there is a dbus-monitor, some versions by that.
ASK = ["dbus-send", "--session", "--print-reply=literal", "--reply-timeout=1000",
       "--dest=org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
       "org.freedesktop.portal.Settings.Read", "string:org.freedesktop.appearance", "string:color-scheme"]
HEAR = ["dbus-monitor", "--session", "type='signal',interface='org.freedesktop.portal.Settings',"
        "member='SettingChanged',arg0='org.freedesktop.appearance',arg1='color-scheme'"]
TAKE = """
        let g:loaded_themed = 1
        colorscheme bench
        function! Take(job, lines, event)
          let word = matchstr(join(a:lines), 'uint32 *\\zs[012]')
          let scheme = word ==# '1' ? 'dark' : word ==# '' ? &background : 'light'
          if &background !=# scheme | let &background = scheme | endif
        endfunction
        function! Ask(...)
          call jobstart(%s, {'on_stdout': 'Take', 'stdout_buffered': v:true})
        endfunction
        call Ask()
""" % ASK


def neovim_polls(desktop: Desktop) -> Screen:
    return opened_neovim(desktop, "polls", f"""{TAKE}
        call timer_start(3000, 'Ask', {{'repeat': -1}})
        """)


def neovim_hears(desktop: Desktop) -> Screen:
    return opened_neovim(desktop, "hears", f"""{TAKE}
        call jobstart({HEAR}, {{'on_stdout': 'Take'}})
        """)


def opened_vim(desktop: Desktop, follows: str) -> Screen:
    scheme(desktop)
    init = desktop.write("vimrc", f"""
        set nocompatible termguicolors shortmess+=I t_RV= t_RB= t_u7=
        let &runtimepath ..= ',{desktop.place},{PACKAGE}/share/vim'
        {follows}
        """)
    return Screen(desktop, ["vim", "-N", "-n", "-i", "NONE", "-u", init])


def vim(desktop: Desktop) -> Screen:
    return opened_vim(desktop, "colorscheme bench")


def vim_itself(desktop: Desktop) -> Screen:
    return opened_vim(desktop, background_keys())


def opened_emacs(desktop: Desktop, follows: str) -> Screen:
    init = desktop.write("init.el", f"(setq inhibit-startup-screen t)\n{follows}")
    return Screen(desktop, ["emacs", "-nw", "-Q", "-l", init])


def emacs(desktop: Desktop) -> Screen:
    return opened_emacs(desktop, f"""
        (setq themed-palette t)
        (load "{PACKAGE}/share/emacs/themed")
        (themed-mode)
        """)


# Seconds that a start takes beyond what is shown, by the opener: the plugin is compiled once Emacs rests for two.
STARTS = {"emacs": 3}


def default_face(desktop: Desktop, side: str) -> str:
    palette = desktop.palettes[side]
    return f':foreground "{palette["text"]}" :background "{palette["background"]}"'


def emacs_face_itself(desktop: Desktop) -> Screen:
    """It sets two colors of one face."""
    light, dark = (f"(set-face-attribute 'default (selected-frame) {default_face(desktop, side)})"
                   for side in ("light", "dark"))
    return opened_emacs(desktop, f"""
        (global-set-key "D" (lambda () (interactive) {dark}))
        (global-set-key "L" (lambda () (interactive) {light}))
        {light}
        """)


def emacs_themes_itself(desktop: Desktop) -> Screen:
    """It changes between two themes that it has read, as Emacs is meant to, each of one face."""
    light, dark = (f"(deftheme {side}) (custom-theme-set-faces '{side} '(default ((t {default_face(desktop, side)}))))"
                   for side in ("light", "dark"))
    return opened_emacs(desktop, f"""
        {light} {dark}
        (global-set-key "D" (lambda () (interactive) (disable-theme 'light) (enable-theme 'dark)))
        (global-set-key "L" (lambda () (interactive) (disable-theme 'dark) (enable-theme 'light)))
        (enable-theme 'light)
        """)


def zsh(desktop: Desktop) -> Screen:
    desktop.write(".zshrc", f"""
        source {PACKAGE}/share/zsh/themed.plugin.zsh
        setopt prompt_subst
        PROMPT='%K{{${{themed_palette[background]:-black}}}}%~%k '
        """)
    return Screen(desktop, ["zsh", "-i"])


def zsh_itself(desktop: Desktop) -> Screen:
    light, dark = (desktop.palettes[side]["background"] for side in ("light", "dark"))
    desktop.write(".zshrc", f"""
        setopt prompt_subst
        background='{light}' PROMPT='%K{{$background}}%~%k '
        become-dark() {{ background='{dark}'; zle reset-prompt }}
        become-light() {{ background='{light}'; zle reset-prompt }}
        zle -N become-dark; zle -N become-light
        bindkey D become-dark L become-light
        """)
    return Screen(desktop, ["zsh", "-i"])


def tmux(desktop: Desktop) -> Screen:
    desktop.enable("tmux", ".tmux.conf", "set -as terminal-features ',*:RGB'\n")
    # Its server would outlive it.
    return Screen(desktop, ["tmux", "new-session", "sleep", "100000"], end=["tmux", "kill-server"])


def kitty(desktop: Desktop) -> Terminal:
    desktop.enable("kitty", ".config/kitty/kitty.conf", "update_check_interval 0\n")
    return Terminal(desktop, ["kitty"])


def alacritty(desktop: Desktop) -> Terminal:
    desktop.write(".config/alacritty/alacritty.toml", "[font]\nsize = 9\n")
    desktop.enable("alacritty", ".config/alacritty/alacritty.yml", "font:\n  size: 9\n")
    return Terminal(desktop, ["alacritty", "-e"])


def foot(desktop: Desktop) -> Terminal:
    desktop.enable("foot", ".config/foot/foot.ini", "pad=3x3\n")
    desktop.sway()
    return Terminal(desktop, ["foot"])


def hook(desktop: Desktop) -> Fifo:
    """A script of darkman's, which is run unchanged."""
    desktop.write(".config/themed/themed.conf", CONFIGURATION + "[hooks]\ndarkman=yes\n")
    fifo = Fifo(desktop, "hook")
    for side in ("light", "dark"):
        script = desktop.write(f".local/share/{side}-mode.d/tell", f"#!/bin/sh\necho {side} > '{fifo.path}'\n")
        script.chmod(0o755)
    desktop.apply_starts()
    return fifo
