"""How long real programs take to show what the desktop was set to: from `gsettings set`, from the daemon's word, and of one
that is open alone, from an override."""

import itertools
import os
import select
import socket
import sys
import time

import programs
from daemons import Daemons
from desktop import Desktop
from report import distribution

QUICK = os.environ.get("QUICK", "") not in ("", "0")
ROUNDS = 3 if QUICK else 500
# Alone, of which no 99th percentile is told.
ALONE = 3 if QUICK else 80
HEARS = 3 if QUICK else 60
POLLERS, POLLS = (2, 1) if QUICK else (168, 3)
THEME = "mint"
OVERRIDE = b'{"method":"org.themed.theme.SetOverride","parameters":{"override":{"scheme":"%s"}},"oneway":true}\0'
# Microseconds of what reads the socket itself, and of what themed-apply tells.
READER_GOAL, TOLD_GOAL = 2000, 20000
PATIENCE = 60
# What is measured: the program, what is opened for it, and the app that themed-apply is to have enabled.
READERS = [("Neovim", "nvim", programs.neovim), ("Vim", "vim", programs.vim), ("Emacs", "emacs", programs.emacs),
           ("zsh", "zsh", programs.zsh)]
TOLD = [("tmux", "tmux", programs.tmux), ("kitty", "kitty", programs.kitty),
        ("Alacritty", "alacritty", programs.alacritty), ("foot", "foot", programs.foot)]
# What a reader takes by itself: from a key until it shows the same, with no daemon, no socket and no JSON.
ITSELF = {"Neovim": {"by itself": programs.neovim_itself}, "Vim": {"by itself": programs.vim_itself},
          "Emacs": {"itself, one face": programs.emacs_face_itself,
                    "itself, by two themes": programs.emacs_themes_itself},
          "zsh": {"by itself": programs.zsh_itself},
          "Neovim, theme's colors": {"by itself": programs.neovim_itself}}


class Trial:
    """Programs that are open at once, and what it takes until they show each scheme."""

    def __init__(self, desktop: Desktop, openers: list):
        self.desktop = desktop
        self.names = [opener.__name__ for opener in openers]
        self.opened = [opener(desktop) for opener in openers]
        self.subscriber = desktop.word()
        self.scheme = "light"
        self.told, self.shown = [], [[] for _ in openers]

    def change(self, begin, is_told: bool = True) -> None:
        """Keeps the nanoseconds from `begin` to the daemon's word, if it says one, and to each program's color."""
        self.scheme = "dark" if self.scheme == "light" else "light"
        for program in self.opened:
            program.forget()
        while select.select([self.subscriber], [], [], 0)[0]:
            self.subscriber.recv(65536)
        palette = self.desktop.palettes[self.scheme]
        started = time.monotonic_ns()
        begin(self.scheme)
        told, left = None if is_told else 0, dict(enumerate(self.opened))
        while told is None or left:
            for program in left.values():
                program.ask()
            ready = select.select([self.subscriber, *(program.descriptor for program in self.opened)], [], [], 0.01)[0]
            now = time.monotonic_ns() - started
            if self.subscriber in ready:
                self.subscriber.recv(65536)
                told = told or now
            for index, program in enumerate(self.opened):
                if program.descriptor in ready:
                    program.read()
                    if index in left and program.shows(palette):
                        self.shown[index].append(now)
                        del left[index]
            if now > PATIENCE * 1_000_000_000:
                sys.exit(f"bench: did not become {self.scheme}: {[self.names[index] for index in left]}")
        self.told.append(told)

    def by_gsettings(self, rounds: int, pause: float = 0.005) -> None:
        for _ in range(rounds):
            setting = []
            self.change(lambda scheme: setting.append(self.desktop.set(scheme)))
            setting[0].wait()
            time.sleep(pause)

    def by_override(self, rounds: int) -> None:
        """Of which the daemon hears at once."""
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(self.desktop.daemons.socket(self.desktop.name)))
            for _ in range(rounds):
                self.change(lambda scheme: client.sendall(OVERRIDE % scheme.encode()))
                time.sleep(0.005)

    def by_key(self, rounds: int) -> None:
        """Of which the daemon does not hear: the programs do it by themselves."""
        def press(scheme: str) -> None:
            for program in self.opened:
                program.press(b"D" if scheme == "dark" else b"L")
        for _ in range(rounds):
            self.change(press, is_told=False)
            time.sleep(0.005)

    def after_word(self, index: int) -> dict:
        """From the daemon's word; what was before it by a wake-up of ours counts as nothing."""
        return distribution([max(0, shown - told) for shown, told in zip(self.shown[index], self.told)])

    def ready(self) -> None:
        """Waits until each shows light, as it begins."""
        light = self.desktop.palettes["light"]
        end = time.monotonic() + PATIENCE
        while not all(program.shows(light) for program in self.opened):
            if time.monotonic() > end:
                sys.exit(f"bench: not all began with light: {self.names}")
            for program in self.opened:
                program.ask()
                if select.select([program.descriptor], [], [], 0.01)[0]:
                    program.read()
        # What comes with a start is over.
        time.sleep(max(programs.STARTS.get(name, 0.3) for name in self.names))

    def close(self) -> None:
        self.subscriber.close()
        for program in self.opened:
            program.close()


def begun(desktop: Desktop, openers: list) -> Trial:
    """Opens programs, once the desktop is light again and nothing is overridden."""
    desktop.set("light").wait()
    desktop.output("themectl", "unset")
    desktop.until("light", lambda: desktop.output("themectl", "get") == "light\n")
    trial = Trial(desktop, openers)
    trial.ready()
    return trial


def ended(desktop: Desktop, trial: Trial) -> None:
    trial.close()
    desktop.disable_all()


def alone(desktop: Desktop, name: str, opener, goal: int) -> dict:
    """A program that nothing else is open beside, from the call that sets an override.

    Not from the daemon's word: a program may have done its work before we, who hear it too, have a processor.
    """
    trial = begun(desktop, [opener])
    trial.by_override(ALONE)
    ended(desktop, trial)
    sides = {name: distribution(trial.shown[0])}
    for side, itself in ITSELF.get(name, {}).items():
        trial = begun(desktop, [itself])
        trial.by_key(ALONE)
        ended(desktop, trial)
        sides[side] = distribution(trial.shown[0])
    return {"part": "from an override", "what": name, "goal_us": goal, "sides": sides}


def real_programs(daemons: Daemons) -> tuple:
    """The entries, and what is not there, by its name, with the reason."""
    desktop = Desktop(daemons, "desktop")
    desktop.write(".config/themed/themed.conf", programs.CONFIGURATION)
    desktop.set("light").wait()
    desktop.follow(THEME)
    readers, told = ([one for one in kind if desktop.which(one[1])] for kind in (READERS, TOLD))
    absent = {name: "not installed, nor unpacked by tools/install-packages apps"
              for name, program, _ in READERS + TOLD if not desktop.which(program)}
    if not desktop.which("darkman"):
        absent["darkman"] = "not installed; no package of Debian 12 or 13"
    words = [alone(desktop, name, opener, READER_GOAL) for name, _, opener in readers]
    if "Neovim" not in absent:
        words.append(alone(desktop, "Neovim, theme's colors", programs.neovim_palette, READER_GOAL))
    words.append(alone(desktop, "a hook of darkman's", programs.hook, TOLD_GOAL))
    whole, until_word = {}, []
    # One that reads the socket and one that is told: the second one is still being told when the first is done.
    for pair in itertools.zip_longest(readers, told):
        pair = [one for one in pair if one]
        trial = begun(desktop, [opener for _, _, opener in pair])
        trial.by_gsettings(ROUNDS)
        ended(desktop, trial)
        until_word += trial.told
        for index, one in enumerate(pair):
            whole[one[0]] = {"part": "from gsettings set", "what": one[0],
                             "sides": {one[0]: distribution(trial.shown[index])}}
            if one in told:
                words.append({"part": "from the daemon's word", "what": one[0], "goal_us": TOLD_GOAL,
                              "sides": {one[0]: trial.after_word(index)}})
    if "Neovim" in whole:
        whole["Neovim"]["sides"] |= other_neovims(desktop)
    until = {"part": "from gsettings set", "what": "the daemon's word",
             "sides": {"the daemon's word": distribution(until_word)}}
    return [until, *(whole[one[0]] for one in readers + told), *words], absent


def other_neovims(desktop: Desktop) -> dict:
    """A Neovim that asks the portal every three seconds, and one with a dbus-monitor of its own."""
    sides = {}
    for name, opener, count, rounds in (("polls every 3 s", programs.neovim_polls, POLLERS, POLLS),
                                        ("its own dbus-monitor", programs.neovim_hears, 1, HEARS)):
        trial = begun(desktop, [opener] * count)
        # The change comes at any moment between two polls.
        trial.by_gsettings(rounds, pause=0.7 if count > 1 else 0.005)
        ended(desktop, trial)
        sides[name] = distribution([taken for samples in trial.shown for taken in samples])
    return sides
