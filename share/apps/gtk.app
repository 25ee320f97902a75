[app]
title=GTK 2 and 3
program=gsettings
proposed=no
not-on=XFCE;X-Cinnamon;MATE
note=It sets the desktop's own setting gtk-theme, which stays as it is when this is disabled: gsettings reset org.gnome.desktop.interface gtk-theme. Other themes than Adwaita are named in a copy of this file in ~/.config/themed/apps.

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
