[app]
title=GTK 2 and 3
program=gsettings
proposed=no
not-on=XFCE;X-Cinnamon;MATE
note=This app changes the desktop's setting gtk-theme. Disabling the app does not restore the setting. To restore it, run 'gsettings reset org.gnome.desktop.interface gtk-theme'. To use a theme other than Adwaita, copy this file to ~/.config/themed/apps and name the theme there.

[light]
value=Adwaita

[dark]
value=Adwaita-dark

[reload]
command=gsettings set org.gnome.desktop.interface gtk-theme {value}

# Both win over the setting of the desktop.
[hidden]
variables=GTK_THEME

[hidden file]
files=$XDG_CONFIG_HOME/gtk-3.0/settings.ini
settings=gtk-application-prefer-dark-theme*=*1;gtk-application-prefer-dark-theme*=*true
