[app]
title=Okular
program=okular
note=The pages of documents keep their own colours.

[follows]
by=portal
