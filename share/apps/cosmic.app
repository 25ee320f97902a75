[app]
title=COSMIC
program=cosmic-settings-daemon;cosmic-session
proposed=no
note=Used on COSMIC after 'themectl desktop enable'. If COSMIC switches at sunset by itself, turn that off, because it writes the same setting.

[desktop]
desktops=COSMIC

# COSMIC's programs watch the file; its portal reports the scheme from it.
[setting is-dark]
file=$XDG_CONFIG_HOME/cosmic/com.system76.CosmicTheme.Mode/v1/is_dark
kind=scheme
light=false
dark=true

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

[setting icon-theme]
read=gsettings get org.gnome.desktop.interface icon-theme
write=gsettings set org.gnome.desktop.interface icon-theme {quoted}
reset=gsettings reset org.gnome.desktop.interface icon-theme
own=dconf read /org/gnome/desktop/interface/icon-theme
switch=yes
value=icons
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/icons/{value}/index.theme;~/.icons/{value}/index.theme
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/gnome/desktop/interface/

# It wins over the setting of the desktop.
[hidden]
variables=GTK_THEME

[hidden file]
files=$XDG_CONFIG_HOME/gtk-3.0/settings.ini;$XDG_CONFIG_HOME/gtk-4.0/settings.ini
settings=gtk-application-prefer-dark-theme*=*1;gtk-application-prefer-dark-theme*=*true
