"""Real plugin managers install the plugins from repositories: what the program shows, and whether the plugin runs twice.

Run by tools/test-apps in a system of its own: managers.py SYSTEM [NAME…]. The managers are clones below /managers. Each
row says whether the program follows with the manager alone, and whether it still does, with one connection, once the
app is enabled, too. fish and tmux follow only by themed-apply, so their app has to be enabled. The exit status is 1 if
a row is wrong.
"""

import json
import os
import shutil
import sys

import matrix
from session import CONFIG, HOME, Session, Wrong, output, run, soon

REPOS = "/tmp/repos"
LAZY = f"""vim.opt.rtp:prepend('{HOME}/.local/share/nvim/lazy/lazy.nvim')
require('lazy').setup({{ {{ url = 'file://{REPOS}/nvim', name = 'themed', SPEC }} }}, {{ rocks = {{ enabled = false }} }})
"""


def clone(name, place):
    output("git", "clone", "--quiet", f"/managers/{name}", place)


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def lazy(spec):
    def install():
        clone("lazy.nvim", f"{HOME}/.local/share/nvim/lazy/lazy.nvim")
        put(CONFIG + "/nvim/init.lua", LAZY.replace("SPEC", spec))
        output("nvim", "--headless", "+Lazy! install", "+qa")
    return install


def plug_nvim():
    shutil.copy("/managers/vim-plug/plug.vim", made(f"{HOME}/.local/share/nvim/site/autoload") + "/plug.vim")
    put(CONFIG + "/nvim/init.vim", f"call plug#begin()\nPlug 'file://{REPOS}/nvim'\ncall plug#end()\n")
    output("nvim", "--headless", "+PlugInstall --sync", "+qa")


def plug_vim():
    shutil.copy("/managers/vim-plug/plug.vim", made(f"{HOME}/.vim/autoload") + "/plug.vim")
    put(HOME + "/.vimrc", f"call plug#begin()\nPlug 'file://{REPOS}/vim'\ncall plug#end()\n")
    run("script", "--quiet", "--command", "vim +'PlugInstall --sync' +qa", "/dev/null")
    if not os.path.isdir(f"{HOME}/.vim/plugged/vim"):
        raise Wrong("vim-plug installed nothing")


def packages():
    """Vim's own: a directory below pack."""
    output("git", "clone", "--quiet", f"file://{REPOS}/vim", made(f"{HOME}/.vim/pack/mine/start") + "/themed")


def nvim_packages():
    place = made(f"{HOME}/.local/share/nvim/site/pack/mine/start")
    output("git", "clone", "--quiet", f"file://{REPOS}/nvim", place + "/themed")


def antidote():
    clone("antidote", HOME + "/.antidote")
    put(HOME + "/.zsh_plugins.txt", f"file://{REPOS}/zsh\n")
    put(HOME + "/.zshrc", f"source {HOME}/.antidote/antidote.zsh\nantidote load\n")


def zinit():
    clone("zinit", HOME + "/.local/share/zinit/zinit.git")
    put(HOME + "/.zshrc", f"source {HOME}/.local/share/zinit/zinit.git/zinit.zsh\nzinit light {REPOS}/zsh\n")


def oh_my_zsh():
    clone("ohmyzsh", HOME + "/.oh-my-zsh")
    output("git", "clone", "--quiet", f"file://{REPOS}/zsh", HOME + "/.oh-my-zsh/custom/plugins/themed")
    put(HOME + "/.zshrc", "export ZSH=$HOME/.oh-my-zsh\nzstyle ':omz:update' mode disabled\nplugins=(themed)\n"
        "source $ZSH/oh-my-zsh.sh\n")


def fisher():
    script = f"source /managers/fisher/functions/fisher.fish; fisher install {REPOS}/fish"
    output("fish", "-c", script)


def vc():
    """Emacs's own, from version 30."""
    put(HOME + "/.emacs.d/init.el", "(use-package themed :vc (:url \"file://" + REPOS + "/emacs\" :rev :newest)\n"
        "  :config (themed-mode))\n")
    output("emacs", "--batch", "--load", HOME + "/.emacs.d/init.el")


def straight():
    clone("straight.el", HOME + "/.emacs.d/straight/repos/straight.el")
    put(HOME + "/.emacs.d/early-init.el", "(setq package-enable-at-startup nil)\n")
    put(HOME + "/.emacs.d/init.el", "(setq straight-check-for-modifications nil)\n"
        "(load (expand-file-name \"straight/repos/straight.el/bootstrap.el\" user-emacs-directory))\n"
        "(setq straight-allow-recipe-inheritance nil)\n(straight-use-package '(themed :type git :repo \"file://" + REPOS + "/emacs\"))\n(themed-mode)\n")
    output("emacs", "--batch", "--load", HOME + "/.emacs.d/init.el")


def tpm(theme=""):
    def install():
        clone("tpm", HOME + "/.tmux/plugins/tpm")
        if theme:
            clone("tmux", HOME + "/.tmux/plugins/tmux")
        put(HOME + "/.tmux.conf", theme + "run '~/.tmux/plugins/tpm/tpm'\n")
    return install


def made(path):
    os.makedirs(path, exist_ok=True)
    return path


CASES = [
    ("lazy.nvim", "nvim", lazy("lazy = false, main = 'themed', opts = {}"), matrix.nvim),
    ("lazy.nvim-bare", "nvim", lazy(""), matrix.nvim),
    ("lazy.nvim-lazy", "nvim", lazy("event = 'VeryLazy', opts = {}"), matrix.nvim),
    ("vim-plug-nvim", "nvim", plug_nvim, matrix.nvim),
    ("packages-nvim", "nvim", nvim_packages, matrix.nvim),
    ("vim-plug", "vim", plug_vim, matrix.vim),
    ("packages-vim", "vim", packages, matrix.vim),
    ("antidote", "zsh", antidote, lambda session: matrix.shell(session, "zsh")),
    ("zinit", "zsh", zinit, lambda session: matrix.shell(session, "zsh")),
    ("oh-my-zsh", "zsh", oh_my_zsh, lambda session: matrix.shell(session, "zsh")),
    ("fisher", "fish", fisher, lambda session: matrix.shell(session, "fish")),
    ("vc", "emacs", vc, matrix.emacs),
    ("straight.el", "emacs", straight, matrix.emacs),
    ("tpm", "tmux", tpm(), matrix.tmux),
    ("tpm-catppuccin", "tmux", tpm("set -g @plugin 'catppuccin/tmux'\n"), matrix.tmux),
]


def connections():
    with open("/proc/net/unix", encoding="ascii") as file:
        return sum(line.split()[5] == "03" and line.rstrip().endswith("/org.themed.theme") for line in file)


def turns(session, start, palettes):
    """Whether it follows, and how many connections more there are while it runs."""
    count, before, wrong = len(session.processes), connections(), []
    try:
        look = start(session)
        for scheme in ("light", "dark", "light"):
            output("themectl", "set", scheme)
            if not soon(lambda: look(palettes[scheme]), 20):
                wrong.append(scheme)
        return wrong, connections() - before
    finally:
        for process in reversed(session.processes[count:]):
            process.kill()
            process.wait()
        del session.processes[count:]
        run("tmux", "kill-server")
        soon(lambda: connections() <= before, 5)


def main():
    is_wrong = False
    for name, app, install, start in CASES:
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        session, saved = Session(), dict(os.environ)
        try:
            os.environ["THEMED_TEST_HOME"] = "empty"
            matrix.install("classic")
            shells = {"zsh": "/usr/bin/zsh", "fish": "/usr/bin/fish"}
            session.begin("", lambda: {"SHELL": shells.get(app, "/usr/bin/bash")})
            shutil.rmtree(REPOS, ignore_errors=True)
            for plugin in ("nvim", "vim", "zsh", "fish", "emacs"):
                shutil.copytree(f"/themed/share/{plugin}" if os.path.isdir(f"/themed/share/{plugin}")
                                else f"/usr/share/themed/{plugin}", f"{REPOS}/{plugin}")
                for words in (["init", "--quiet"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit",
                                                                 "--quiet", "--message=plugin"]):
                    output("git", "-C", f"{REPOS}/{plugin}", *words)
            install()
            session.spawn("themed-apply")
            soon(lambda: os.path.exists("/run/user/themed-apply/status.json"))
            palettes = {"light": {"background": "#ffffff"}, "dark": {"background": "#000000"}}
            told = []
            if app == "tmux":
                output("themectl", "set", "theme", "80s")
                palettes = {scheme: one["palette"] for scheme, one in json.loads(
                    output("themectl", "theme", "show", "80s", "--json")).items() if scheme in ("light", "dark")}
            elif app != "fish":
                wrong, more = turns(session, start, palettes)
                told.append(f"alone: {'follows' if not wrong else wrong}, {more} connections")
                is_wrong = is_wrong or bool(wrong)
            enabled = run("themectl", "app", "enable", app, "--yes")
            wrong, more = turns(session, start, palettes)
            told.append(f"enabled ({enabled.returncode}): {'follows' if not wrong else wrong}, {more} connections")
            # zsh is connected only while a line is edited, and themed-apply follows for the others.
            is_wrong = is_wrong or bool(wrong) or app in ("nvim", "vim", "emacs") and more != 1
            print(name, "\t".join(told), enabled.stdout + enabled.stderr, sep="\t", flush=True)
            run("themectl", "app", "disable", app)
        except (Wrong, OSError, ValueError) as error:
            is_wrong = True
            print(name, "failed", str(error)[-1500:], sep="\t", flush=True)
        finally:
            session.close()
            os.environ.clear()
            os.environ.update(saved)
    sys.exit(is_wrong)


if __name__ == "__main__":
    main()
