# Builds themed from the source archive, which has all Swift packages in its directory vendor.
{ lib, stdenv, fetchurl, swift-toolchain, pkg-config, dbus, glib, libyaml, expat, gdk-pixbuf, coreutils, autoPatchelfHook
, makeWrapper }:

stdenv.mkDerivation (finalAttrs: {
  pname = "themed";
  version = "1.0.0";

  src = fetchurl {
    url = "https://themed.example/releases/themed-${finalAttrs.version}.tar.gz";
    # `make release` writes the checksum of the archive here.
    sha256 = lib.fakeSha256;
  };

  nativeBuildInputs = [ swift-toolchain pkg-config autoPatchelfHook makeWrapper ];
  buildInputs = [ dbus glib libyaml ];
  # themectl loads these itself.
  runtimeDependencies = [ libyaml expat gdk-pixbuf ];

  # Only versions of xdg-desktop-portal before that of nixpkgs need the line: see docs/packaging.md.
  postPatch = ''
    patchShebangs tools packaging
    sed -i '/^UseIn=/d' packaging/aaa-themed.portal
  '';

  # Swift Package Manager writes below HOME, and its own sandbox cannot be nested in that of Nix. It asks pkg-config for
  # the headers of the libraries that are linked; libyaml is loaded.
  env.SWIFTFLAGS = "--disable-sandbox -Xcc -I${lib.getDev libyaml}/include";
  preBuild = ''export HOME="$TMPDIR"'';
  buildPhase = ''
    runHook preBuild
    make build
    runHook postBuild
  '';
  installPhase = ''
    runHook preInstall
    make install PREFIX=$out unitdir=$out/lib/systemd/user sysconfdir=$out/etc
    runHook postInstall
  '';
  postFixup = ''
    wrapProgram $out/bin/themectl --suffix PATH : ${lib.makeBinPath [ coreutils glib ]}
  '';
  doInstallCheck = true;
  installCheckPhase = "$out/bin/themed --version && $out/bin/themectl --version";

  meta = {
    description = "Let terminals, editors, shells and bars follow light and dark";
    homepage = "https://themed.example";
    # The programs contain the Swift runtime and swift-argument-parser, and parts of libstdc++ and libgcc.
    license = with lib.licenses; [ mit asl20 gpl3Plus ];
    mainProgram = "themectl";
    platforms = [ "x86_64-linux" ];
  };
})
