# services.themed.enable = true; starts themed for every user, as the Debian package does.
self:
{ config, lib, pkgs, ... }:

let
  service = config.services.themed;
in
{
  options.services.themed = {
    enable = lib.mkEnableOption "themed, with which programs follow light and dark";
    package = lib.mkOption {
      type = lib.types.package;
      default = self.packages.${pkgs.stdenv.hostPlatform.system}.themed;
      description = "The package of themed.";
    };
  };

  config = lib.mkIf service.enable {
    environment.systemPackages = [ service.package ];
    systemd.packages = [ service.package ];
    # NixOS does not read the [Install] sections of units that packages bring.
    systemd.user.sockets.themed.wantedBy = [ "sockets.target" ];
    systemd.user.sockets.themed-readonly.wantedBy = [ "sockets.target" ];
    systemd.user.services.themed.wantedBy = [ "graphical-session.target" ];
    systemd.user.services.themed-apply.wantedBy = [ "default.target" ];
    xdg.portal.extraPortals = [ service.package ];
  };
}
