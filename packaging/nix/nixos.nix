# services.themed.enable = true; starts themed for every user, as the Debian package does.
self:
{ config, lib, pkgs, ... }:

let
  service = config.services.themed;
in
{
  imports = [ (import ./options.nix self) ];

  config = lib.mkIf service.enable {
    # themed-apply starts gsettings, of GLib.
    environment.systemPackages = [ service.package (lib.getBin pkgs.glib) ];
    systemd.packages = [ service.package ];
    # NixOS does not read the [Install] sections of units that packages bring.
    systemd.user.sockets.themed.wantedBy = [ "sockets.target" ];
    systemd.user.sockets.themed-readonly.wantedBy = [ "sockets.target" ];
    systemd.user.services.themed.wantedBy = [ "graphical-session.target" ];
    systemd.user.services.themed-apply.wantedBy = [ "default.target" ];
    # NixOS would give these a PATH of its own, without the user's programs, which hooks and app files start.
    systemd.user.services.themed.enableDefaultPath = false;
    systemd.user.services.themed-apply.enableDefaultPath = false;
    xdg.portal.extraPortals = [ service.package ];
  };
}
