[app]
title=dunst
program=dunst
version-command=dunst --version
note=Before version 1.12, dunst reads its colours only when it starts. If you start dunst with -conf, it does not read the file that themed-apply writes. If you have no dunstrc, themed-apply copies the system's, because dunst reads the theme only beside it; 'themectl app disable dunst' removes the copy.

[write]
template=dunst.mustache
file=$XDG_CONFIG_HOME/dunst/dunstrc.d/90-themed.conf

# Only beside a dunstrc does dunst read dunstrc.d: if you have none, yours is a copy of the system's.
[reload base]
command=sh -c 'own=${XDG_CONFIG_HOME:-$HOME/.config}/dunst/dunstrc; [ -e "$own" ] || [ ! -e /etc/xdg/dunst/dunstrc ] || { echo "# Copied by themed-apply: $(cksum < /etc/xdg/dunst/dunstrc)"; cat /etc/xdg/dunst/dunstrc; } > "$own"'

# A copy that was changed stays. Before 1.0, its first line had no sum.
[disable]
command=sh -c 'own=${XDG_CONFIG_HOME:-$HOME/.config}/dunst/dunstrc; [ ! -L "$own" ] || exit 0; first=$(head -n 1 "$own" 2>/dev/null); case $first in "# Copied by themed-apply: "*) [ "${first#*: }" = "$(tail -n +2 "$own" | cksum)" ] ;; "# Copied by themed-apply.") tail -n +2 "$own" | cmp -s - /etc/xdg/dunst/dunstrc ;; *) exit 0 ;; esac || { echo "$own stays, since it is a changed copy of the dunstrc of the system"; exit 0; }; rm "$own"; rmdir "${own%/*}" 2>/dev/null || true'

[reload]
command=dunstctl reload
process=dunst
versions=>=1.12

[replaced]
files=$XDG_CONFIG_HOME/dunst/dunstrc
settings=*.background;*.foreground;*.frame_color;*.separator_color;*.highlight

# dunst reads these after the one that is written for it.
[hidden]
files=$XDG_CONFIG_HOME/dunst/dunstrc.d/*.conf
settings=*.background;*.foreground;*.frame_color
