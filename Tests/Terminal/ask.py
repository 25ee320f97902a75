"""Asks the terminal that it runs in for its colours, again and again, and writes what changes: ask.py FILE

A line is the question (10, 11, 12, 4;N) and the answer as #rrggbb; "none" is a terminal that does not answer.
"""

import os
import re
import select
import sys
import termios
import time
import tty

path = sys.argv[1]
terminal = os.open("/dev/tty", os.O_RDWR)
settings = termios.tcgetattr(terminal)
tty.setraw(terminal)
last = {}
while True:
    for question in ("10", "11", "4;1", "4;12"):
        os.write(terminal, f"\033]{question};?\033\\".encode())
        answer = b""
        while select.select([terminal], [], [], 0.5)[0]:
            answer += os.read(terminal, 4096)
            # ST, BEL, or the escape alone that rxvt ends with.
            if re.search(rb"rgb:[0-9a-f/]+(\033|\007)", answer):
                break
        found = re.search(rb"rgb:([0-9a-f]+)/([0-9a-f]+)/([0-9a-f]+)", answer)
        color = "#" + b"".join(part[:2] for part in found.groups()).decode() if found else "none"
        if last.get(question) != color:
            last[question] = color
            with open(path, "a", encoding="ascii") as file:
                file.write(f"{question} {color}\n")
    time.sleep(0.1)
