# services.themed.enable = true; starts themed for one user, with the configuration in services.themed.settings.
self:
{ config, lib, pkgs, ... }:

let
  service = config.services.themed;
  format = pkgs.formats.ini { };
  # The package's own units, each where its [Install] section says.
  units = {
    "themed.socket" = "sockets.target";
    "themed-readonly.socket" = "sockets.target";
    "themed.service" = "graphical-session.target";
    "themed-apply.service" = "default.target";
  };
in
{
  imports = [ (import ./options.nix self) ];

  options.services.themed = {
    settings = lib.mkOption {
      inherit (format) type;
      default = { };
      example = { desktop.in-step = "yes"; schedule.mode = "sun"; };
      description = "What is in themed.conf; see themed.conf(5). Commands such as `themectl schedule` cannot change it then.";
    };
    themes = lib.mkOption {
      type = lib.types.attrsOf lib.types.path;
      default = { };
      description = "Your own theme files by name; see themed.theme(5).";
    };
  };

  config = lib.mkIf service.enable {
    # themed-apply starts gsettings, of GLib.
    home.packages = [ service.package (lib.getBin pkgs.glib) ];
    xdg.configFile = lib.mkMerge [
      (lib.mkIf (service.settings != { }) {
        "themed/themed.conf".source = format.generate "themed.conf" service.settings;
      })
      (lib.concatMapAttrs (unit: target: {
        "systemd/user/${unit}".source = "${service.package}/share/systemd/user/${unit}";
        "systemd/user/${target}.wants/${unit}".source = "${service.package}/share/systemd/user/${unit}";
      }) units)
    ];
    xdg.dataFile = lib.mapAttrs' (name: source: lib.nameValuePair "themed/themes/${name}.theme" { inherit source; }) service.themes;
  };
}
