[app]
title=Terminator
program=terminator
unable=it runs as a program of Python, which themed cannot tell from others, so its windows get no colours by sequence
