[app]
title=Plasma
program=plasma-apply-colorscheme
proposed=no
note=Used on Plasma 5.24 and newer after 'themectl desktop enable'. Plasma turns by its colours; the default wallpaper and the panel follow them. The colours, icons and cursors for dark are what you chose while it was dark, or Breeze Dark. If Plasma switches its global theme at night by itself, turn that off, because it writes the same settings.

[desktop]
desktops=KDE
# Its portal reports a change several times, and a global theme changes icons and cursors a while later.
settle=2000

[setting colors]
read=kreadconfig6|kreadconfig5 --file kdeglobals --group General --key ColorScheme
write=plasma-apply-colorscheme {value}
timeout=15
kind=scheme
value=plasma
light=BreezeLight
dark=BreezeDark
changed=* /kdeglobals org.kde.kconfig.notify.ConfigChanged;* /KGlobalSettings org.kde.KGlobalSettings.notifyChange

[setting icons]
read=kreadconfig6|kreadconfig5 --file kdeglobals --group Icons --key Theme
write=/usr/lib/x86_64-linux-gnu/libexec/plasma-changeicons|/usr/lib/aarch64-linux-gnu/libexec/plasma-changeicons|/usr/libexec/plasma-changeicons|/usr/lib/plasma-changeicons {value}
timeout=15
value=icons
guess=-dark;-Dark
installed=$XDG_DATA_DIRS/icons/{value}/index.theme;~/.icons/{value}/index.theme
light=breeze
dark=breeze-dark
changed=* /kdeglobals org.kde.kconfig.notify.ConfigChanged;* /KGlobalSettings org.kde.KGlobalSettings.notifyChange

[setting cursor]
read=kreadconfig6|kreadconfig5 --file kcminputrc --group Mouse --key cursorTheme
write=plasma-apply-cursortheme {value}
timeout=15
value=cursors
changed=* /kdeglobals org.kde.kconfig.notify.ConfigChanged;* /KGlobalSettings org.kde.KGlobalSettings.notifyChange;* /kcminputrc org.kde.kconfig.notify.ConfigChanged

# The style 'default' follows the colours.
[setting panel]
read=kreadconfig6|kreadconfig5 --file plasmarc --group Theme --key name
write=plasma-apply-desktoptheme {value}
timeout=15
guess=-dark
installed=$XDG_DATA_DIRS/plasma/desktoptheme/{value}/metadata.json;$XDG_DATA_DIRS/plasma/desktoptheme/{value}/metadata.desktop

# One for each screen; without a picture of its own, Plasma's follows the colours.
[setting wallpaper]
each=qdbus6|qdbus-qt6|qdbus-qt5|qdbus org.kde.plasmashell /PlasmaShell org.kde.PlasmaShell.evaluateScript "for (d of desktops()) print(d.id+'\\n')"
read=qdbus6|qdbus-qt6|qdbus-qt5|qdbus org.kde.plasmashell /PlasmaShell org.kde.PlasmaShell.evaluateScript "d=desktopById({each}); d.currentConfigGroup=['Wallpaper',d.wallpaperPlugin,'General']; print(d.readConfig('Image'))"
write=qdbus6|qdbus-qt6|qdbus-qt5|qdbus org.kde.plasmashell /PlasmaShell org.kde.PlasmaShell.evaluateScript "d=desktopById({each}); d.currentConfigGroup=['Wallpaper',d.wallpaperPlugin,'General']; d.writeConfig('Image','{value}'); d.reloadConfig()"
reset=qdbus6|qdbus-qt6|qdbus-qt5|qdbus org.kde.plasmashell /PlasmaShell org.kde.PlasmaShell.evaluateScript "d=desktopById({each}); d.currentConfigGroup=['Wallpaper',d.wallpaperPlugin,'General']; d.writeConfig('Image',''); d.reloadConfig()"
asset=wallpaper
form=uri

[setting gtk-theme]
read=gsettings get org.gnome.desktop.interface gtk-theme
write=gsettings set org.gnome.desktop.interface gtk-theme {quoted}
reset=gsettings reset org.gnome.desktop.interface gtk-theme
own=dconf read /org/gnome/desktop/interface/gtk-theme
value=gtk
guess=-Dark;-dark
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
