import Foundation
import Testing
import ThemedTestSupport

/// The desktop of the tests on a machine that has any part of it: `tools/desktop`, which the demo uses as well.
@Suite(.ownThreads) struct TestDesktopStories {
  /// Two packages that the desktop consists of, and what else is below `/usr/share`.
  enum Part: String, CaseIterable {
    case portal = "org.freedesktop.portal.Desktop"
    case gtk = "org.freedesktop.impl.portal.desktop.gtk"
    case dconf = "ca.desrt.dconf"
  }

  /// A bit for each part: all or none of them, one or two, in one place or the other, or in both.
  @Test(
    arguments: [
      (0, 0), (7, 0), (0, 7), (7, 7), (1, 6), (2, 5), (4, 3), (6, 1), (5, 2), (3, 4), (2, 2), (4, 7), (1, 0), (0, 4),
    ])
  func `each part is the installed one, and the unpacked one only if that is missing`(
    installed: Int, unpacked: Int
  ) throws {
    try withSession { session in
      let (system, other) = try (session.directory.directory("system"), session.directory.directory("un packed"))
      func has(_ parts: Int, _ part: Part) -> Bool {
        parts >> (Part.allCases.firstIndex(of: part) ?? 0) & 1 == 1
      }
      for part in Part.allCases {
        if has(installed, part) { try write(part, below: "system/share", in: session) }
        if has(unpacked, part) { try write(part, below: "un packed/usr/share", in: session) }
      }
      let finished = try assemble(session, system, other)
      #expect(finished.status == .exited(1))
      for part in Part.allCases {
        let text = session.text("place/services/\(part.rawValue).service")
        switch (has(installed, part), has(unpacked, part)) {
        case (true, _): #expect(text?.contains("Exec=\"/bin/true\" --word\n") == true, "\(text ?? "")")
        case (_, true): #expect(text?.contains("Exec=\"\(other)/bin/true\" --word\n") == true, "\(text ?? "")")
        default:
          #expect(text == nil)
          #expect(finished.errors.contains("\(part.rawValue).service"), "\(finished.errors)")
        }
      }
      // Other backends that are installed do not answer for this desktop.
      let names = try FileManager.default.contentsOfDirectory(atPath: session.directory.path("place/portals"))
      #expect(names == (has(installed | unpacked, .gtk) ? ["gtk.portal"] : []))
      let from = has(installed, .gtk) ? "system" : "un packed"
      if has(installed | unpacked, .gtk) { #expect(session.text("place/portals/gtk.portal") == from) }
      #expect(finished.errors.contains("xdg-desktop-portal-gtk: /usr/share/xdg") != has(installed | unpacked, .gtk))
    }
  }

  @Test func `a service whose program is missing is not used, as where a package was removed by half`() throws {
    try withSession { session in
      let (system, other) = try (session.directory.directory("system"), session.directory.directory("un packed"))
      try write(.portal, below: "system/share", in: session, program: "/nowhere/portal")
      try write(.portal, below: "un packed/usr/share", in: session)
      _ = try assemble(session, system, other)
      let text = session.text("place/services/\(Part.portal.rawValue).service")
      #expect(text?.contains("Exec=\"\(other)/bin/true\"") == true, "\(text ?? "")")
    }
  }

  @Test func `a library or module that is installed is not hidden by an unpacked one`() throws {
    try withSession { session in
      let (system, other) = try (session.directory.directory("system"), session.directory.directory("un packed"))
      let triple = try #require(
        FileManager.default.contentsOfDirectory(atPath: "/usr/lib").first { $0.hasSuffix("-linux-gnu") })
      for name in ["libc.so.6", "libnowhere.so.1"] {
        try session.directory.write("x", to: "un packed/usr/lib/\(triple)/\(name)")
      }
      try session.directory.write("x", to: "un packed/usr/lib/\(triple)/gio/modules/libnowhere.so")
      _ = try assemble(session, system, other)
      let place = session.directory.path("place")
      #expect(try FileManager.default.contentsOfDirectory(atPath: place + "/libraries") == ["libnowhere.so.1"])
      let variables = session.text("place/variables")?.split(separator: "\0").map(String.init) ?? []
      #expect(variables.contains { $0.hasPrefix("LD_LIBRARY_PATH=\(place)/libraries") }, "\(variables)")
      #expect(variables.contains("GIO_EXTRA_MODULES=\(place)/modules"), "\(variables)")
      #expect(variables.contains("XDG_DESKTOP_PORTAL_DIR=\(place)/portals"), "\(variables)")
      #expect(!variables.contains { $0.hasPrefix("GSETTINGS_SCHEMA_DIR") }, "no schemas are unpacked: \(variables)")
    }
  }

  /// Puts a desktop together on a system that has nothing below `/usr/share` but what `system/share` has.
  private func assemble(_ session: Session, _ system: String, _ unpacked: String) throws -> Finished {
    try session.directory.directory("system/share")
    // What the tests were given is none of this desktop's.
    for name in ["LD_LIBRARY_PATH", "GIO_EXTRA_MODULES", "GSETTINGS_SCHEMA_DIR"] { session.environment[name] = nil }
    let user = getuid() == 0 ? [] : ["--user", "--map-root-user"]
    let script = "mount --bind \"$0/share\" /usr/share && exec \"$@\""
    return try session.run(
      "unshare",
      user + [
        "--mount", "sh", "-c", script, system, Products.package + "/tools/desktop", unpacked,
        session.directory.path("place"), "check",
      ])
  }

  private func write(
    _ part: Part, below place: String, in session: Session, program: String = "/bin/true"
  ) throws {
    let owner = String(place.split(separator: "/")[0])
    try session.directory.write(
      "[D-BUS Service]\nName=\(part.rawValue)\nExec=\(program) --word\nSystemdService=x.service\n",
      to: "\(place)/dbus-1/services/\(part.rawValue).service")
    if owner != "system" {
      let path = try session.directory.write("#!/bin/sh\n", to: owner + program)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    guard part == .gtk else { return }
    try session.directory.write(owner, to: "\(place)/xdg-desktop-portal/portals/gtk.portal")
    try session.directory.write("[portal]\nUseIn=gnome\n", to: "\(place)/xdg-desktop-portal/portals/gnome.portal")
  }
}
