[app]
title=Yazi
program=yazi
version=yazi --version

[follows]
by=terminal
needs=[flavor] light="one" dark="other"
for=>=26.8.15
