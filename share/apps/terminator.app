[app]
title=Terminator
program=terminator
unsupported=it runs as python3 like many other programs, so themed-apply cannot find its windows
