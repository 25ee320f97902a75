[app]
title=i3bar
program=i3bar
unsupported=i3 reads the colours of its bar only from the block bar of its own file, which cannot include another file; without a block colors, its bar is black and white
