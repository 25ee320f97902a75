[app]
title=bat
# Debian calls it batcat.
program=bat;batcat
note=If BAT_THEME is set, bat follows in shells that you open after you have enabled this app.
version-command=sh -c 'bat --version 2>/dev/null || batcat --version'

[write]
template=bat.mustache
file=$BAT_CONFIG_DIR/themes/themed.tmTheme
comment=<!-- -->
escape=html

[reload]
command={program} cache --build
timeout=60

# With no theme or syntax of the user's own, a leftover cache would make bat fail after its next upgrade.
[disable]
command=sh -c 'cd "$("$0" --config-dir)" && find -L themes syntaxes -name "*.tmTheme" -o -name "*.sublime-syntax" | grep -q . && exec "$0" cache --build >/dev/null; exec "$0" cache --clear >/dev/null' {program}
timeout=60

[setup]
files=$BAT_CONFIG_PATH;$BAT_CONFIG_DIR/config
hidden-by=--theme;--theme=*;--theme *
line=--theme=themed

# The variable wins over the file from 0.23 on.
[setup bash]
shell=bash
file=~/.bashrc
line=unset BAT_THEME
hidden-by=export BAT_THEME=*;BAT_THEME=*
if-variable=BAT_THEME
versions=>=0.23

[setup zsh]
shell=zsh
file=$ZDOTDIR/.zshrc
line=unset BAT_THEME
hidden-by=export BAT_THEME=*;BAT_THEME=*
if-variable=BAT_THEME
versions=>=0.23

[setup fish]
shell=fish
file=$XDG_CONFIG_HOME/fish/config.fish
line=set -e BAT_THEME
hidden-by=set * BAT_THEME *
if-variable=BAT_THEME
versions=>=0.23

# BAT_OPTS takes the place of its file.
[hidden]
variables=BAT_OPTS

[hidden 0.23]
variables=BAT_THEME
versions=>=0.23
