[app]
title=LXQt
program=lxqt-session
proposed=no
note=Used on LXQt after 'themectl desktop enable'. The palette for dark is what you chose while it was dark, or the one in this app file.

[desktop]
desktops=LXQt

# LXQt has no switch of its own: this is for the portal of GTK.
[setting color-scheme]
read=gsettings get org.gnome.desktop.interface color-scheme
write=gsettings set org.gnome.desktop.interface color-scheme {quoted}
reset=gsettings reset org.gnome.desktop.interface color-scheme
own=dconf read /org/gnome/desktop/interface/color-scheme
kind=scheme
light=prefer-light
dark=prefer-dark
none=default
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/gnome/desktop/interface/

# Each Qt window reads the palette again when the file changes.
[setting palette]
file=$XDG_CONFIG_HOME/lxqt/lxqt.conf
key=Palette/*
light=window_color=#efefef;base_color=#ffffff;highlight_color=#308cc6;window_text_color=#000000;text_color=#000000;highlighted_text_color=#ffffff;link_color=#0000ff;link_visited_color=#ff00ff;tooltip_base_color=#ffffdc;tooltip_text_color=#000000
dark=window_color=#31363b;base_color=#232629;highlight_color=#3daee9;window_text_color=#eff0f1;text_color=#eff0f1;highlighted_text_color=#ffffff;link_color=#2980b9;link_visited_color=#9b59b6;tooltip_base_color=#31363b;tooltip_text_color=#eff0f1

[setting panel]
file=$XDG_CONFIG_HOME/lxqt/lxqt.conf
key=General/theme
value=lxqt
dark=dark

[setting icons]
file=$XDG_CONFIG_HOME/lxqt/lxqt.conf
key=General/icon_theme
switch=yes
value=icons
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/icons/{value}/index.theme;~/.icons/{value}/index.theme

[setting wallpaper]
file=$XDG_CONFIG_HOME/pcmanfm-qt/lxqt/settings.conf
key=Desktop/Wallpaper
write=pcmanfm-qt --set-wallpaper={value}
asset=wallpaper

[setting gtk-theme]
read=gsettings get org.gnome.desktop.interface gtk-theme
write=gsettings set org.gnome.desktop.interface gtk-theme {quoted}
reset=gsettings reset org.gnome.desktop.interface gtk-theme
own=dconf read /org/gnome/desktop/interface/gtk-theme
switch=yes
value=gtk
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/themes/{value}/gtk-3.0;~/.themes/{value}/gtk-3.0
light=Adwaita
dark=Adwaita-dark
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/gnome/desktop/interface/

# Only programs that you start later have the theme of Kvantum.
[setting kvantum]
file=$XDG_CONFIG_HOME/Kvantum/kvantum.kvconfig
key=General/theme
value=kvantum

# It wins over the setting of the desktop.
[hidden]
variables=GTK_THEME

[hidden file]
files=$XDG_CONFIG_HOME/gtk-3.0/settings.ini;$XDG_CONFIG_HOME/gtk-4.0/settings.ini
settings=gtk-application-prefer-dark-theme*=*1;gtk-application-prefer-dark-theme*=*true
