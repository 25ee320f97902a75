[app]
title=WezTerm
program=wezterm
note=The last stable release of WezTerm does not follow on Wayland.

[follows]
by=portal
needs=config.color_scheme = wezterm.gui.get_appearance():find('Dark') and 'Other' or 'One'
