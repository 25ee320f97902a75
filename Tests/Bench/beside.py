"""themed beside darkman and tinty, each if it is in PATH: the command, the way to a script of the user's, and memory."""

import os
import pathlib
import shutil
import subprocess
import time

from daemons import Daemons
from report import distribution


def script(path: pathlib.Path, fifo: pathlib.Path) -> pathlib.Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho done > {fifo}\n")
    path.chmod(0o755)
    return path


def until_script(daemons: Daemons, name: str, command: list, fifo: pathlib.Path) -> int:
    """Nanoseconds from the start of a command until the user's script has run."""
    begin = time.monotonic_ns()
    process = subprocess.Popen(command, env=daemons.environment(name), stdout=subprocess.DEVNULL)
    with open(fifo, encoding="ascii") as said:
        said.read()
    taken = time.monotonic_ns() - begin
    if process.wait() != 0:
        raise SystemExit(f"bench: {command} failed")
    return taken


def start_ours(daemons: Daemons, name: str) -> subprocess.Popen:
    """Starts the daemon, and themed-apply with a script that tells a fifo."""
    place = daemons.home / name
    daemons.bus(name)
    script(place / "config/themed/hooks.d/script", place / "ours")
    for fifo in ("ours", "theirs"):
        os.mkfifo(place / fifo)
    themed = daemons.themed(name)
    # The hook runs at the start.
    told = os.open(place / "ours", os.O_RDONLY | os.O_NONBLOCK)

    def has_run(log: pathlib.Path) -> bool:
        try:
            return bool(os.read(told, 64))
        except BlockingIOError:
            return False

    daemons.start([daemons.programs / "release/themed-apply"], name, has_run)
    os.close(told)
    return themed


def compared(daemons: Daemons, name: str, rounds: int, changes: list, asked: list, words: tuple) -> list:
    """The entries of two commands: one that asks what is shown, and one that changes it; words name them.

    changes has pairs of our command and theirs, which take turns; asked is one such pair.
    """
    samples = {"themed": [], name: []}
    for number in range(rounds):
        ours, theirs = changes[number % len(changes)]
        samples["themed"].append(until_script(daemons, name, ours, daemons.home / name / "ours"))
        samples[name].append(until_script(daemons, name, theirs, daemons.home / name / "theirs"))
    rows = daemons.run([daemons.generator("spawn"), rounds, *asked[0], "--", *asked[1]], name)
    answered = {side: [int(word) for word in row.split()] for side, row in zip(("themed", name), rows)}
    return [{"part": f"beside {name}", "what": what, "sides": {side: distribution(times) for side, times in taken.items()}}
            for what, taken in zip(words, (answered, samples))]


def beside_darkman(daemons: Daemons, rounds: int, memory) -> tuple:
    """The entries, and the figures of memory; nothing without darkman."""
    darkman = shutil.which("darkman")
    if darkman is None:
        return [], {}
    place, themectl = daemons.home / "darkman", str(daemons.programs / "release/themectl")
    themed = start_ours(daemons, "darkman")
    for side in ("light", "dark"):
        script(place / f".local/share/{side}-mode.d/script", place / "theirs")
    config = place / "config/darkman/config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("lat: 52.5\nlng: 13.4\nusegeoclue: false\ndbusserver: true\nportal: false\n")
    theirs = daemons.start([darkman, "run"], "darkman", lambda log: "Listening on D-Bus" in log.read_text())
    changes = [([themectl, "set", side], [darkman, "set", side]) for side in ("dark", "light")]
    entries = compared(daemons, "darkman", rounds, changes, [[themectl, "get"], [darkman, "get"]],
                       ("get", "set, until a script ran"))
    time.sleep(5)
    figures = {"beside_darkman": {"pss_kib": memory(themed.pid)["pss_kib"],
                                  "darkman_pss_kib": memory(theirs.pid)["pss_kib"]}}
    daemons.stop()
    return entries, figures


def beside_tinty(daemons: Daemons, rounds: int) -> list:
    """The entries; nothing without tinty. Each has two themes, and one program that shows them."""
    tinty = shutil.which("tinty")
    if tinty is None:
        return []
    place, themectl = daemons.home / "tinty", str(daemons.programs / "release/themectl")
    names = ("one", "two")
    for directory in ("schemes/base16", "item/colors", ".local/share/themed/themes"):
        (place / directory).mkdir(parents=True)
    for number, name in enumerate(names):
        colors = "".join(f'  base0{digit:X}: "{number}{digit:X}2b30"\n' for digit in range(16))
        (place / f"schemes/base16/{name}.yaml").write_text(
            f'system: "base16"\nname: "{name}"\nauthor: "nobody"\nvariant: "dark"\npalette:\n{colors}')
        (place / f"item/colors/base16-{name}.conf").write_text("\n")
        (place / f".local/share/themed/themes/{name}.theme").write_text(
            f"[light.palette]\ntint={number}00000\n[dark.palette]\ntint={number}00000\n")
    hook = script(place / "hook", place / "theirs")
    (place / "config.toml").write_text(
        f'[schemes]\npath = "{place}/schemes"\n[[items]]\nname = "item"\npath = "{place}/item"\n'
        f'themes-dir = "colors"\nsupported-systems = ["base16"]\nhook = "{hook}"\n')
    start_ours(daemons, "tinty")
    theirs = [tinty, "--config", str(place / "config.toml"), "--data-dir", str(place / "data")]
    subprocess.run([*theirs, "install"], env=daemons.environment("tinty"), stdout=subprocess.DEVNULL, check=True)
    changes = [([themectl, "set", "theme", name], [*theirs, "apply", f"base16-{name}"]) for name in names]
    entries = compared(daemons, "tinty", rounds, changes, [[themectl, "get", "theme"], [*theirs, "current"]],
                       ("get the theme", "set a theme, until a script ran"))
    daemons.stop()
    return entries
