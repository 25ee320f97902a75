[app]
title=MATE
program=mate-session
proposed=no
note=Used on MATE after 'themectl desktop enable'. MATE has no switch: the dark theme is what you chose while it was dark, the installed one of the same name with -dark, or Adwaita-dark.

[desktop]
desktops=MATE
# Without this pause, Firefox mixes the colours of both sides.
pause=300

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

[setting gtk-theme]
read=gsettings get org.mate.interface gtk-theme
write=gsettings set org.mate.interface gtk-theme {quoted}
reset=gsettings reset org.mate.interface gtk-theme
own=dconf read /org/mate/desktop/interface/gtk-theme
switch=yes
value=gtk
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/themes/{value}/gtk-3.0;~/.themes/{value}/gtk-3.0
light=Adwaita
dark=Adwaita-dark
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/mate/desktop/interface/

[setting icon-theme]
read=gsettings get org.mate.interface icon-theme
write=gsettings set org.mate.interface icon-theme {quoted}
reset=gsettings reset org.mate.interface icon-theme
own=dconf read /org/mate/desktop/interface/icon-theme
switch=yes
value=icons
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/icons/{value}/index.theme;~/.icons/{value}/index.theme
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/mate/desktop/interface/

[setting cursor-theme]
read=gsettings get org.mate.peripherals-mouse cursor-theme
write=gsettings set org.mate.peripherals-mouse cursor-theme {quoted}
reset=gsettings reset org.mate.peripherals-mouse cursor-theme
own=dconf read /org/mate/desktop/peripherals/mouse/cursor-theme
switch=yes
value=cursors
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/icons/{value}/cursors;~/.icons/{value}/cursors
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/mate/desktop/peripherals/mouse/

[setting frames]
read=gsettings get org.mate.Marco.general theme
write=gsettings set org.mate.Marco.general theme {quoted}
reset=gsettings reset org.mate.Marco.general theme
own=dconf read /org/mate/marco/general/theme
value=marco
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/themes/{value}/metacity-1;~/.themes/{value}/metacity-1
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/mate/marco/general/

[setting wallpaper]
read=gsettings get org.mate.background picture-filename
write=gsettings set org.mate.background picture-filename {quoted}
reset=gsettings reset org.mate.background picture-filename
own=dconf read /org/mate/desktop/background/picture-filename
asset=wallpaper
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/mate/desktop/background/

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
