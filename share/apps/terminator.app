[app]
title=Terminator
program=terminator
unable=it runs as a Python program, which themed cannot tell from other Python programs, so it cannot send colours to its windows
