[app]
title=Hyprland
program=Hyprland;hyprland
desktops=Hyprland
note=Colours of borders.

[write conf]
template=hyprland.mustache
file=~/.config/hypr/themed.conf

[write lua]
template=hyprland-lua.mustache
file=~/.config/hypr/themed.lua
comment=--

[reload]
command=hyprctl reload
process=Hyprland

[setup]
files=$HYPRLAND_CONFIG;$XDG_CONFIG_HOME/hypr/hyprland.lua;$XDG_CONFIG_HOME/hypr/hyprland.conf
line=source = ~/.config/hypr/themed.conf
line.lua=dofile(os.getenv("HOME") .. "/.config/hypr/themed.lua")
comment.lua=--
needs-system-file=yes
hidden-by=general.col.*;col.active_border;col.inactive_border
includes=source

# hl.config merges, so the last one wins.
[replaced]
files=$HYPRLAND_CONFIG;$XDG_CONFIG_HOME/hypr/hyprland.lua;$XDG_CONFIG_HOME/hypr/hyprland.conf
settings=*active_border *=*;*active_border=*;*border_active *=*;*border_inactive *=*;*border_active=*;*border_inactive=*
