"""Has the terminal that it runs in tell of light and dark, by mode 2031, and writes what it says: listen.py FILE

A line is a word, light or dark, or the background as #rrggbb, which is asked for and written when it is another one.
"""

import os
import re
import select
import sys
import tty

path = sys.argv[1]
terminal = os.open("/dev/tty", os.O_RDWR)
tty.setraw(terminal)
os.write(terminal, b"\033[?2031h")
answers = re.compile(rb"\033\[\?997;([12])n|\033\]11;rgb:(..)[^/]*/(..)[^/]*/(..)[0-9a-f]*(?:\033\\|\007)")
heard, background = b"", None
while True:
    os.write(terminal, b"\033]11;?\033\\")
    while select.select([terminal], [], [], 0.2)[0]:
        heard += os.read(terminal, 4096)
        while answer := answers.search(heard):
            heard = heard[answer.end():]
            word, *color = answer.groups()
            line = {b"1": "dark", b"2": "light"}[word] if word else "#" + b"".join(color).decode()
            if line == background:
                continue
            if not word:
                background = line
            with open(path, "a", encoding="ascii") as file:
                file.write(line + "\n")
