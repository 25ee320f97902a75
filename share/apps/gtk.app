[app]
title=GTK 2 and 3
program=gsettings
proposed=no
except-desktops=X-Cinnamon;MATE
note=Changes the settings of GNOME, which sway, Hyprland, niri, river and labwc use, too. They follow after 'themectl desktop enable', and 'themectl desktop disable' restores them. The GTK theme for dark is what you chose while it was dark, the installed one of the same name with -dark, or Adwaita-dark.

[desktop]
# GNOME, and every desktop for which there is no other file.
desktops=GNOME;*

[setting color-scheme]
read=gsettings get org.gnome.desktop.interface color-scheme
write=gsettings set org.gnome.desktop.interface color-scheme {quoted}
reset=gsettings reset org.gnome.desktop.interface color-scheme
own=dconf read /org/gnome/desktop/interface/color-scheme
kind=scheme
light=prefer-light
dark=prefer-dark
none=default
# Without a preference, the bar of Waybar would stay dark.
explicit-for=waybar
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/gnome/desktop/interface/

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

[setting cursor-theme]
read=gsettings get org.gnome.desktop.interface cursor-theme
write=gsettings set org.gnome.desktop.interface cursor-theme {quoted}
reset=gsettings reset org.gnome.desktop.interface cursor-theme
own=dconf read /org/gnome/desktop/interface/cursor-theme
switch=yes
value=cursors
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/icons/{value}/cursors;~/.icons/{value}/cursors
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/gnome/desktop/interface/

# GNOME has a wallpaper for each side. Other desktops do not show it, although the settings exist there.
[setting wallpaper-light]
desktops=GNOME;Unity;Budgie;Pantheon
read=gsettings get org.gnome.desktop.background picture-uri
write=gsettings set org.gnome.desktop.background picture-uri {quoted}
reset=gsettings reset org.gnome.desktop.background picture-uri
own=dconf read /org/gnome/desktop/background/picture-uri
side=light
asset=wallpaper
form=uri
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/gnome/desktop/background/

[setting wallpaper-dark]
desktops=GNOME;Unity;Budgie;Pantheon
read=gsettings get org.gnome.desktop.background picture-uri-dark
write=gsettings set org.gnome.desktop.background picture-uri-dark {quoted}
reset=gsettings reset org.gnome.desktop.background picture-uri-dark
own=dconf read /org/gnome/desktop/background/picture-uri-dark
side=dark
asset=wallpaper
form=uri
changed=ca.desrt.dconf /ca/desrt/dconf/Writer/user ca.desrt.dconf.Writer.Notify /org/gnome/desktop/background/

# Compositors without such a setting, if the theme names a wallpaper.
[setting wallpaper-sway]
write=swaymsg "output * bg '{value}' fill"
reset=swaymsg reload
process=sway
not-process=swww-daemon;awww-daemon
asset=wallpaper

# The wallpaper that feh sets again at each login, in the user's own mode.
[setting wallpaper-feh-fill]
read=cat ~/.fehbg
after=feh --no-fehbg --bg-fill '
until='
write=feh --bg-fill {value}
process=awesome;bspwm;dwm;fluxbox;herbstluftwm;i3;icewm;openbox;xmonad-x86_64-linux
asset=wallpaper

[setting wallpaper-feh-scale]
read=cat ~/.fehbg
after=feh --no-fehbg --bg-scale '
until='
write=feh --bg-scale {value}
process=awesome;bspwm;dwm;fluxbox;herbstluftwm;i3;icewm;openbox;xmonad-x86_64-linux
asset=wallpaper

[setting wallpaper-feh-max]
read=cat ~/.fehbg
after=feh --no-fehbg --bg-max '
until='
write=feh --bg-max {value}
process=awesome;bspwm;dwm;fluxbox;herbstluftwm;i3;icewm;openbox;xmonad-x86_64-linux
asset=wallpaper

[setting wallpaper-feh-center]
read=cat ~/.fehbg
after=feh --no-fehbg --bg-center '
until='
write=feh --bg-center {value}
process=awesome;bspwm;dwm;fluxbox;herbstluftwm;i3;icewm;openbox;xmonad-x86_64-linux
asset=wallpaper

[setting wallpaper-feh-tile]
read=cat ~/.fehbg
after=feh --no-fehbg --bg-tile '
until='
write=feh --bg-tile {value}
process=awesome;bspwm;dwm;fluxbox;herbstluftwm;i3;icewm;openbox;xmonad-x86_64-linux
asset=wallpaper

[setting wallpaper-swww]
read=swww|awww query
after=currently displaying: image:
write=swww|awww img {value}
process=swww-daemon;awww-daemon
forgets=yes
asset=wallpaper

# From 0.8: it has an image for each screen, and a line such as 'DP-1: /image' for it. It starts with those of its file.
[setting wallpaper-hyprpaper]
each=hyprctl hyprpaper listactive
each-until=: /
read=hyprctl hyprpaper listactive
after={each}:
write=hyprctl hyprpaper wallpaper {each},{value}
process=hyprpaper
forgets=yes
asset=wallpaper

# Only programs that you start later have the theme of Kvantum.
[setting kvantum]
file=$XDG_CONFIG_HOME/Kvantum/kvantum.kvconfig
key=General/theme
value=kvantum

# All of them win over the setting of the desktop.
[hidden]
variables=GTK_THEME

[hidden file]
files=$XDG_CONFIG_HOME/gtk-3.0/settings.ini;$XDG_CONFIG_HOME/gtk-4.0/settings.ini
settings=gtk-application-prefer-dark-theme*=*1;gtk-application-prefer-dark-theme*=*true
