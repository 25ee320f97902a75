[app]
title=Yazi
program=yazi
version-command=yazi --version

[follows]
by=terminal
needs=[flavor] light="one" dark="other"
versions=>=26.8.15
