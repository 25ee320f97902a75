"""The programs that are measured: each is opened as a user has it, and shows the theme's background.

What it shows is what it draws in a terminal of ours, or, of a terminal, what it answers when it is asked.
"""

from desktop import PACKAGE, Desktop, Fifo, Screen, Terminal


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


def vim(desktop: Desktop) -> Screen:
    scheme(desktop)
    init = desktop.write("vimrc", f"""
        set nocompatible termguicolors shortmess+=I t_RV= t_RB= t_u7=
        let &runtimepath ..= ',{desktop.place},{PACKAGE}/share/vim'
        colorscheme bench
        """)
    return Screen(desktop, ["vim", "-N", "-n", "-i", "NONE", "-u", init])


def emacs(desktop: Desktop) -> Screen:
    init = desktop.write("init.el", f"""
        (setq themed-palette t inhibit-startup-screen t)
        (load "{PACKAGE}/share/emacs/themed")
        (themed-mode)
        """)
    return Screen(desktop, ["emacs", "-nw", "-Q", "-l", init])


def zsh(desktop: Desktop) -> Screen:
    desktop.write(".zshrc", f"""
        source {PACKAGE}/share/zsh/themed.plugin.zsh
        setopt prompt_subst
        PROMPT='%K{{${{themed_palette[background]:-black}}}}%~%k '
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
    desktop.write(".config/themed/apply.conf", "[hooks]\ndarkman=yes\n")
    fifo = Fifo(desktop, "hook")
    for side in ("light", "dark"):
        script = desktop.write(f".local/share/{side}-mode.d/tell", f"#!/bin/sh\necho {side} > '{fifo.path}'\n")
        script.chmod(0o755)
    desktop.apply_starts()
    return fifo
