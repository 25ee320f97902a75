# The options that both modules have.
self:
{ lib, pkgs, ... }:

{
  options.services.themed = {
    enable = lib.mkEnableOption "themed, with which programs follow light and dark";
    package = lib.mkOption {
      type = lib.types.package;
      default = self.packages.${pkgs.stdenv.hostPlatform.system}.themed;
      description = "The package of themed.";
    };
  };
}
