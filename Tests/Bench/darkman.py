"""themed beside darkman, if a darkman is in PATH: the command, the way to a script of the user's, and memory."""

import os
import pathlib
import shutil
import subprocess
import time

from daemons import Daemons
from report import distribution


def script(path: pathlib.Path, fifo: pathlib.Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho done > {fifo}\n")
    path.chmod(0o755)


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


def beside_darkman(daemons: Daemons, rounds: int, memory) -> tuple:
    """The entries, and the figures of memory; nothing without darkman."""
    darkman = shutil.which("darkman")
    if darkman is None:
        return [], {}
    place, programs = daemons.home / "darkman", daemons.programs / "release"
    daemons.bus("darkman")
    for side in ("light", "dark"):
        script(place / f".local/share/{side}-mode.d/script", place / "theirs")
    script(place / "config/themed/hooks.d/script", place / "ours")
    for fifo in ("ours", "theirs"):
        os.mkfifo(place / fifo)
    config = place / "config/darkman/config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("lat: 52.5\nlng: 13.4\nusegeoclue: false\ndbusserver: true\nportal: false\n")

    themed = daemons.themed("darkman")
    # The hook runs at the start.
    daemons.start([programs / "themed-apply"], "darkman", lambda log: read(place / "ours"))
    theirs = daemons.start([darkman, "run"], "darkman", lambda log: "Listening on D-Bus" in log.read_text())
    themectl = str(programs / "themectl")
    samples = {"themed": [], "darkman": []}
    for number in range(rounds):
        side = "light" if number % 2 else "dark"
        samples["themed"].append(until_script(daemons, "darkman", [themectl, "set", side], place / "ours"))
        samples["darkman"].append(until_script(daemons, "darkman", [darkman, "set", side], place / "theirs"))
    rows = daemons.run([daemons.generator("spawn"), rounds, themectl, "get", "--", darkman, "get"], "darkman")
    get = dict(zip(("themed", "darkman"), (distribution([int(word) for word in row.split()]) for row in rows)))
    time.sleep(5)
    figures = {"beside_darkman": {"pss_kib": memory(themed.pid)["pss_kib"],
                                  "darkman_pss_kib": memory(theirs.pid)["pss_kib"]}}
    daemons.stop()
    return [
        {"part": "beside darkman", "what": "get", "sides": get},
        {"part": "beside darkman", "what": "set, until a script ran",
         "sides": {name: distribution(times) for name, times in samples.items()}},
    ], figures


def read(fifo: pathlib.Path) -> bool:
    """Whether a script has run: it waits until somebody reads what it writes."""
    descriptor = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        end = time.monotonic() + 0.2
        while time.monotonic() < end:
            try:
                if os.read(descriptor, 64):
                    return True
            except BlockingIOError:
                pass
            time.sleep(0.01)
        return False
    finally:
        os.close(descriptor)
