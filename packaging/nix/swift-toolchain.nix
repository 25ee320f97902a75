# The toolchain of swift.org, since nixpkgs has Swift 5. It is used to build only: the programs contain the Swift runtime.
{ lib, stdenv, fetchurl, autoPatchelfHook, makeWrapper, ncurses, libedit, libxml2, sqlite, curl, zlib, libuuid, python3
, glibc, gcc, binutils }:

stdenv.mkDerivation rec {
  pname = "swift-toolchain";
  version = "6.2.1";

  src = fetchurl {
    url = "https://download.swift.org/swift-${version}-release/ubi9/swift-${version}-RELEASE/swift-${version}-RELEASE-ubi9.tar.gz";
    # No release fills this in. Nix prints the hash at the first build: compare it with the signature of swift.org.
    hash = lib.fakeHash;
  };

  nativeBuildInputs = [ autoPatchelfHook makeWrapper ];
  buildInputs = [ stdenv.cc.cc.lib ncurses libedit libxml2 sqlite curl zlib libuuid python3 ];
  # lldb needs a Python of another version, and nothing here needs lldb.
  autoPatchelfIgnoreMissingDeps = [ "libpython*" "libedit*" "libxml2*" ];

  dontStrip = true;
  installPhase = ''
    mkdir -p $out
    cp -r usr/* $out/
    # clang has to find the C library, crt files and dynamic linker of nixpkgs: SwiftPM builds Package.swift as a program, and
    # runs it.
    for program in clang clang++ swiftc swift; do
      wrapProgram $out/bin/$program --prefix PATH : ${lib.makeBinPath [ binutils ]}
    done
    for program in clang clang++; do
      wrapProgram $out/bin/$program \
        --add-flags "--gcc-toolchain=${gcc.cc} -B${glibc}/lib -idirafter ${glibc.dev}/include -L${glibc}/lib -Wl,--dynamic-linker=${stdenv.cc.bintools.dynamicLinker}"
    done
  '';

  meta = {
    description = "Swift toolchain of swift.org";
    homepage = "https://www.swift.org";
    license = lib.licenses.asl20;
    platforms = [ "x86_64-linux" ];
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
}
