"""A program of Qt 6: prints `dark` or `light` at each change, and several times a second `now dark`."""

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QGuiApplication

program = QGuiApplication([])
hints = program.styleHints()


def tell(kind=""):
    print(kind + ("dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"), flush=True)


hints.colorSchemeChanged.connect(lambda _: tell())
tell()
timer = QTimer()
timer.timeout.connect(lambda: tell("now "))
timer.start(200)
program.exec()
