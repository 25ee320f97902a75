[app]
title=Konsole
program=konsole
version-command=konsole --version
note=Konsole shows its scheme BlackOnWhite or WhiteOnBlack, with the text, background and cursor of the theme. It cannot reset them. When you disable this app, open windows keep them until you close them or change their profile.

[terminal]
process=konsole
sequences=konsole

[follows]
by=portal
needs=a profile for light, a profile for dark, and the option Sync profile with system theme
versions=>=26.08
