{
  description = "Let terminals, editors, shells and bars follow light and dark";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: rec {
        swift-toolchain = pkgs.callPackage ./swift-toolchain.nix { };
        themed = pkgs.callPackage ./package.nix { inherit swift-toolchain; };
        default = themed;
      });

      overlays.default = final: _: {
        themed = self.packages.${final.stdenv.hostPlatform.system}.themed;
      };

      nixosModules.default = import ./nixos.nix self;
      homeManagerModules.default = import ./home-manager.nix self;
    };
}
