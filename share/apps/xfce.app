[app]
title=Xfce
program=xfconf-query
proposed=no
note=Used on Xfce after 'themectl desktop enable'. Xfce turns by the name of its theme: the dark one is what you chose while it was dark, the installed one of the same name with -dark, or Adwaita-dark.

[desktop]
desktops=XFCE
# Without this pause, Firefox mixes the colours of both sides.
pause=300

# Libadwaita, browsers and everything else that asks the portal.
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

# Xfce's own switch is the theme.
[setting gtk-theme]
read=xfconf-query -c xsettings -p /Net/ThemeName
write=xfconf-query -c xsettings -p /Net/ThemeName -n -t string -s {value}
reset=xfconf-query -c xsettings -p /Net/ThemeName -r
switch=yes
value=gtk
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/themes/{value}/gtk-3.0;~/.themes/{value}/gtk-3.0
light=Adwaita
dark=Adwaita-dark
changed=org.xfce.Xfconf /org/xfce/Xfconf org.xfce.Xfconf.PropertyChanged xsettings;org.xfce.Xfconf /org/xfce/Xfconf org.xfce.Xfconf.PropertyRemoved xsettings

[setting icon-theme]
read=xfconf-query -c xsettings -p /Net/IconThemeName
write=xfconf-query -c xsettings -p /Net/IconThemeName -n -t string -s {value}
reset=xfconf-query -c xsettings -p /Net/IconThemeName -r
value=icons
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/icons/{value}/index.theme;~/.icons/{value}/index.theme
changed=org.xfce.Xfconf /org/xfce/Xfconf org.xfce.Xfconf.PropertyChanged xsettings;org.xfce.Xfconf /org/xfce/Xfconf org.xfce.Xfconf.PropertyRemoved xsettings

[setting cursor-theme]
read=xfconf-query -c xsettings -p /Gtk/CursorThemeName
write=xfconf-query -c xsettings -p /Gtk/CursorThemeName -n -t string -s {value}
reset=xfconf-query -c xsettings -p /Gtk/CursorThemeName -r
value=cursors
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/icons/{value}/cursors;~/.icons/{value}/cursors
changed=org.xfce.Xfconf /org/xfce/Xfconf org.xfce.Xfconf.PropertyChanged xsettings;org.xfce.Xfconf /org/xfce/Xfconf org.xfce.Xfconf.PropertyRemoved xsettings

# The theme Default takes the colours of GTK.
[setting frames]
read=xfconf-query -c xfwm4 -p /general/theme
write=xfconf-query -c xfwm4 -p /general/theme -n -t string -s {value}
reset=xfconf-query -c xfwm4 -p /general/theme -r
value=xfwm4
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/themes/{value}/xfwm4;~/.themes/{value}/xfwm4
changed=org.xfce.Xfconf /org/xfce/Xfconf org.xfce.Xfconf.PropertyChanged xfwm4;org.xfce.Xfconf /org/xfce/Xfconf org.xfce.Xfconf.PropertyRemoved xfwm4

# One for each screen and workspace, once a first one was chosen.
[setting wallpaper]
each=xfconf-query -c xfce4-desktop -l
each-end=/last-image
read=xfconf-query -c xfce4-desktop -p {each}
write=xfconf-query -c xfce4-desktop -p {each} -n -t string -s {value}
reset=xfconf-query -c xfce4-desktop -p {each} -r
asset=wallpaper
changed=org.xfce.Xfconf /org/xfce/Xfconf org.xfce.Xfconf.PropertyChanged xfce4-desktop;org.xfce.Xfconf /org/xfce/Xfconf org.xfce.Xfconf.PropertyRemoved xfce4-desktop

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
