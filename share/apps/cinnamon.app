[app]
title=Cinnamon
program=cinnamon
proposed=no
note=Used on Cinnamon after 'themectl desktop enable'. The dark themes are what you chose while it was dark, or the installed ones of the same name with -Dark.

[desktop]
desktops=X-Cinnamon

[setting color-scheme]
read=gsettings get org.x.apps.portal color-scheme
write=gsettings set org.x.apps.portal color-scheme {quoted}
reset=gsettings reset org.x.apps.portal color-scheme
own=dconf read /org/x/apps/portal/color-scheme
kind=scheme
light=prefer-light
dark=prefer-dark
none=default
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/x/apps/portal/

# Cinnamon's own switch sets these, too.
[setting gtk-theme]
read=gsettings get org.cinnamon.desktop.interface gtk-theme
write=gsettings set org.cinnamon.desktop.interface gtk-theme {quoted}
reset=gsettings reset org.cinnamon.desktop.interface gtk-theme
own=dconf read /org/cinnamon/desktop/interface/gtk-theme
switch=yes
value=gtk
guess=-Dark;-dark
installed=$XDG_DATA_DIRS/themes/{value}/gtk-3.0;~/.themes/{value}/gtk-3.0
light=Adwaita
dark=Adwaita-dark
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/cinnamon/desktop/interface/

[setting icon-theme]
read=gsettings get org.cinnamon.desktop.interface icon-theme
write=gsettings set org.cinnamon.desktop.interface icon-theme {quoted}
reset=gsettings reset org.cinnamon.desktop.interface icon-theme
own=dconf read /org/cinnamon/desktop/interface/icon-theme
switch=yes
value=icons
guess=-Dark;-dark
installed=$XDG_DATA_DIRS/icons/{value}/index.theme;~/.icons/{value}/index.theme
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/cinnamon/desktop/interface/

[setting cursor-theme]
read=gsettings get org.cinnamon.desktop.interface cursor-theme
write=gsettings set org.cinnamon.desktop.interface cursor-theme {quoted}
reset=gsettings reset org.cinnamon.desktop.interface cursor-theme
own=dconf read /org/cinnamon/desktop/interface/cursor-theme
switch=yes
value=cursors
guess=-Dark;-dark
installed=$XDG_DATA_DIRS/icons/{value}/cursors;~/.icons/{value}/cursors
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/cinnamon/desktop/interface/

[setting panel]
read=gsettings get org.cinnamon.theme name
write=gsettings set org.cinnamon.theme name {quoted}
reset=gsettings reset org.cinnamon.theme name
own=dconf read /org/cinnamon/theme/name
switch=yes
value=cinnamon
guess=-Dark;-dark
installed=$XDG_DATA_DIRS/themes/{value}/cinnamon;~/.themes/{value}/cinnamon
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/cinnamon/theme/

[setting wallpaper]
read=gsettings get org.cinnamon.desktop.background picture-uri
write=gsettings set org.cinnamon.desktop.background picture-uri {quoted}
reset=gsettings reset org.cinnamon.desktop.background picture-uri
own=dconf read /org/cinnamon/desktop/background/picture-uri
asset=wallpaper
form=uri
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/cinnamon/desktop/background/

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
