# Starts themed's plugin if the app fish is enabled: 'themectl app enable fish'.
status is-interactive; or exit
set -l _themed_list $XDG_CONFIG_HOME
string match --quiet '/*' -- $_themed_list; or set _themed_list ~/.config
set _themed_list $_themed_list/themed/apps.enabled
if test -r $_themed_list; and string match --quiet --regex '^\s*fish\s*(#.*)?$' <$_themed_list
    source /usr/share/themed/fish/conf.d/themed.fish
end
