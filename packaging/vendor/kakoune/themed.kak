# Starts themed's plugin if the app kakoune is enabled: 'themectl app enable kakoune'. It reads one file, and runs no program.
hook -once -group themed-start global ClientCreate .* %{
    define-command -hidden themed-start -params 1 %{ try %{
        evaluate-commands "trigger-user-hook ""themed-apps=%%file{%arg{1}/themed/apps.enabled}"""
    } }
    # The list has the name in a line of its own, maybe with a comment after it.
    hook -once -group themed-start global User 'themed-apps=(.*\n)?\h*kakoune\h*(#[^\n]*)?(\n.*)?' %{
        # A line in kakrc may have done it already.
        try %{ nop %opt{themed_follower} } catch %{
            source /usr/share/themed/kakoune/rc/themed.kak
            themed-enable
        }
    }
    hook -once -group themed-start global User 'themed-directory=/.*' %{ themed-start %val{client_env_XDG_CONFIG_HOME} }
    hook -once -group themed-start global User 'themed-directory=' %{ themed-start "%val{client_env_HOME}/.config" }
    trigger-user-hook "themed-directory=%val{client_env_XDG_CONFIG_HOME}"
    remove-hooks global themed-start
}
