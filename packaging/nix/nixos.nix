# services.themed.enable = true; starts themed for every user, as the Debian package does.
self:
{ config, lib, ... }:

let
  service = config.services.themed;
in
{
  imports = [ (import ./options.nix self) ];

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
