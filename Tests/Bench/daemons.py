"""What a measurement starts, and how it asks the daemon."""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

DEADLINE = 900

GET_STATE = b'{"method":"org.themed.theme.GetState"}\0'
MONITOR = b'{"method":"org.themed.theme.Monitor","more":true}\0'

BUS = pathlib.Path(__file__).resolve().parents[2] / "tools/bus.conf"


class Daemons:
    """What this run has started, below a directory in memory."""

    def __init__(self, programs: pathlib.Path, home: pathlib.Path):
        self.programs, self.home, self.started = programs, home, []
        # What the programs of a name find in their environment besides.
        self.variables = {}

    def environment(self, name: str) -> dict:
        place = self.home / name
        place.mkdir(mode=0o700, exist_ok=True)
        variables = {"HOME": place, "XDG_RUNTIME_DIR": place, "XDG_CONFIG_HOME": place / "config",
                     "XDG_STATE_HOME": place / "state", "XDG_CACHE_HOME": place / "cache",
                     "DBUS_SESSION_BUS_ADDRESS": f"unix:path={place}/bus", "PATH": os.environ["PATH"],
                     "LANG": "C.UTF-8"}
        return {key: str(value) for key, value in (variables | self.variables.get(name, {})).items()}

    def start(self, command: list, name: str, is_up) -> subprocess.Popen:
        log = self.home / f"{pathlib.Path(command[0]).name}.{name}.log"
        with log.open("wb") as output:
            child = subprocess.Popen([str(word) for word in command], env=self.environment(name), stdout=output,
                                     stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        self.started.append(child)
        end = time.monotonic() + 30
        while not is_up(log):
            if child.poll() is not None or time.monotonic() > end:
                sys.exit(f"bench: {command[0]} did not start: {log.read_text()}")
            time.sleep(0.01)
        return child

    def bus(self, name: str, configuration: pathlib.Path = BUS) -> subprocess.Popen:
        self.environment(name)
        path = self.home / name / "bus"
        return self.start(["dbus-daemon", "--nofork", f"--config-file={configuration}",
                           f"--address=unix:path={path}"], name, lambda log: answers(path))

    def themed(self, name: str) -> subprocess.Popen:
        return self.start([self.programs / "release/themed"], name, lambda log: answers(self.socket(name)))

    def socket(self, name: str) -> pathlib.Path:
        return self.home / name / "themed/org.themed.theme"

    def run(self, command: list, name: str) -> list:
        """Runs a load generator; the lines that it prints."""
        done = subprocess.run([str(word) for word in command], env=self.environment(name), text=True, timeout=DEADLINE,
                              stdout=subprocess.PIPE, check=False)
        if done.returncode != 0:
            sys.exit(f"bench: {' '.join(map(str, command))} ended with status {done.returncode}")
        return done.stdout.splitlines()

    def generator(self, name: str) -> pathlib.Path:
        return self.programs / "bench" / name

    def stop(self) -> None:
        for child in reversed(self.started):
            child.send_signal(signal.SIGTERM)
        for child in self.started:
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
        self.started = []


def answers(path: pathlib.Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


def ask(path: pathlib.Path, call: bytes) -> str:
    """The first message that a call brings, without its NUL."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(30)
        client.connect(str(path))
        client.sendall(call)
        reply = b""
        while not reply.endswith(b"\0"):
            reply += client.recv(65536) or sys.exit("bench: themed ends a connection")
        return reply[:-1].decode()
