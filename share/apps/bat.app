[app]
title=bat
# Debian calls it batcat.
program=bat;batcat

[write]
template=bat.mustache
file=$XDG_CONFIG_HOME/bat/themes/themed.tmTheme
comment=<!-- -->
escape=html

[reload]
command={program} cache --build
timeout=60

# With no theme or syntax of the user's own, a leftover cache would make bat fail after its next upgrade.
[disable]
command=sh -c 'cd "$("$0" --config-dir)" && find themes syntaxes -name "*.tmTheme" -o -name "*.sublime-syntax" | grep -q . && exec "$0" cache --build; exec "$0" cache --clear' {program}
timeout=60

[setup]
files=$BAT_CONFIG_PATH;$XDG_CONFIG_HOME/bat/config
hidden-by=--theme*
line=--theme=themed
