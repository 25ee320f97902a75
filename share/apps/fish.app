[app]
title=fish
program=fish
version-command=fish --version
note=To let variables, functions and the prompt follow, add lines to config.fish. The comment at the top of /usr/share/themed/fish/conf.d/themed.fish shows them.

[write variables]
template=shell.mustache
file=$XDG_STATE_HOME/themed/fish

[write session]
template=shell.mustache
file=$XDG_RUNTIME_DIR/themed-apply/shown/fish

[reload]
signal=WINCH
process=fish

[setup]
file=$XDG_CONFIG_HOME/fish/config.fish
line=test ! -r /usr/share/themed/fish/conf.d/themed.fish; or source /usr/share/themed/fish/conf.d/themed.fish
equivalent=source /usr/share/themed/fish/conf.d/themed.fish
plugins=/usr/share/fish/vendor_conf.d/themed.fish;/usr/local/share/fish/vendor_conf.d/themed.fish

[follows]
by=terminal
needs=a fish theme with the sections [light] and [dark]
versions=>=4.3
