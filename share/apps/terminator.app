[app]
title=Terminator
program=terminator
unable=it runs as python3 like many other programs, so themed-apply cannot find its windows
