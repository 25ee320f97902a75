import Foundation
import Testing
import ThemedTestSupport

/// Themes made from pictures, with the real gdk-pixbuf.
@Suite(.ownThreads) struct PictureStories {
  private func make(_ session: Session, _ name: String, _ words: String...) throws -> Finished {
    try session.themectl(["theme", "new", name, "--picture"] + words)
  }

  /// Draws twenty pictures; returns their directory.
  private func draw(_ session: Session) throws -> String {
    let place = session.directory.path("pictures")
    let drawn = try session.python([Products.package + "/tools/pictures", "draw", place, "64"])
    #expect(drawn.status == .exited(0), "\(drawn.errors)")
    return place
  }

  /// The lines of a side in a theme's file.
  private func side(_ name: String, of theme: String) throws -> [Substring] {
    try String(contentsOfFile: theme, encoding: .utf8).split(separator: "\n")
      .drop { $0 != "[\(name).palette]" }.prefix { $0 == "[\(name).palette]" || !$0.hasPrefix("[") }.map(\.self)
  }

  @Test func `each of twenty pictures becomes a theme without a warning`() throws {
    try withSession { session in
      let place = try draw(session)
      let names = try FileManager.default.contentsOfDirectory(atPath: place)
      #expect(names.count == 20)
      for name in names {
        let made = try make(session, name.replacing(".png", with: ""), "\(place)/\(name)")
        #expect(made.status == .exited(0) && made.errors.isEmpty, "\(name): \(made.errors)")
      }
      let check = try session.themectl("theme", "check")
      #expect(check.status == .exited(0))
      #expect(check.lines.count == 20 && check.lines.allSatisfy { $0.hasSuffix(": good") }, "\(check.output)")
    }
  }

  @Test func `the light side comes from another picture if there is one, and each side shows its picture`() throws {
    try withSession { session in
      let place = try draw(session)
      let (night, day) = ("\(place)/city.png", "\(place)/desert.png")
      let mixed = try make(session, "mixed", night, "--light", day, "--title", "Mixed").output
      let paths = try [day, night].map { try make(session, $0 == day ? "day" : "night", $0).output }
      #expect(try side("light", of: mixed) == side("light", of: paths[0]))
      #expect(try side("dark", of: mixed) == side("dark", of: paths[1]))
      let text = try String(contentsOfFile: mixed, encoding: .utf8)
      #expect(text.contains("[light.assets]\nwallpaper=\(day)\n"))
      #expect(text.contains("[dark.assets]\nwallpaper=\(night)\n"))
      // One side can be made again, or be the only one.
      try Data("\(text)\n[dark.values]\nbat=Nord\n".utf8).write(to: URL(fileURLWithPath: mixed))
      let kept = try session.themectl("theme", "new", "mixed", "--dark", day, "--force")
      #expect(kept.status == .exited(0), "\(kept.errors)")
      #expect(try side("light", of: mixed) == side("light", of: paths[0]))
      #expect(try side("dark", of: mixed) == side("dark", of: paths[0]))
      let again = try String(contentsOfFile: mixed, encoding: .utf8)
      #expect(again.contains("title=Mixed\n") && again.contains("[dark.values]\nbat=Nord\n"))
      #expect(again.contains("[dark.assets]\nwallpaper=\(day)\n"))
      let single = try session.themectl("theme", "new", "single", "--dark", night).output
      #expect(try side("light", of: single) == [])
      #expect(try side("dark", of: single) == side("dark", of: paths[1]))
    }
  }

  @Test func `a file that is no picture, or a lying one, is refused with its reason, and no theme is made`() throws {
    try withSession { session in
      let place = try draw(session)
      let whole = try Data(contentsOf: URL(fileURLWithPath: "\(place)/forest.png"))
      func file(_ name: String, _ data: Data) throws -> String {
        try data.write(to: URL(fileURLWithPath: "\(place)/\(name)"))
        return "\(place)/\(name)"
      }
      /// The start of a PNG file that says this of its size, and has nothing else.
      func png(_ width: UInt32, _ height: UInt32) -> Data {
        let size = [width, height].flatMap { side in [24, 16, 8, 0].map { UInt8(side >> $0 & 0xFF) } }
        let header: Data = whole[12..<16] + Data(size) + whole[24..<29]
        var sum = UInt32.max
        for byte in header {
          sum ^= UInt32(byte)
          for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        sum = ~sum
        let end = Data([24, 16, 8, 0].map { UInt8(sum >> $0 & 0xFF) })
        return whole[..<12] + header + end + whole[33...]
      }
      /// A square GIF file that has only its size.
      func gif(_ side: UInt16) -> Data {
        let size = [UInt8(side & 0xFF), UInt8(side >> 8)]
        return Data(Array("GIF89a".utf8) + size + size + [0, 0, 0])
      }
      let unknown = "gdk-pixbuf does not recognise it as a picture, or its loader is not installed"
      try session.check("mkfifo", ["\(place)/pipe"])
      let dangling = "\(place)/dangling.png"
      try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: "nowhere")
      for (path, reason) in try [
        ("\(place)/pipe", "it is not a regular file"), (place, "it is not a regular file"),
        ("/dev/zero", "it is not a regular file"), (dangling, "No such file or directory"),
        ("\(place)/nowhere", "No such file or directory"),
        (file("empty.png", Data()), unknown), (file("text.png", Data("hello".utf8)), unknown),
        (file("cut.png", whole[..<(whole.count / 2)]), "Fatal error in PNG image file"),
        (file("lie.png", png(4000, 4000)), "Fatal error in PNG image file"),
        (file("huge.gif", gif(65_535)), "the picture has 65535 × 65535 pixels; a side may have at most 65500"),
        (file("large.gif", gif(20_000)), "the picture has 20000 × 20000 pixels; at most 128 million pixels are read"),
      ] {
        let refused = try make(session, "x", path)
        #expect(refused.status == .exited(2), "\(path)")
        #expect(refused.errors.hasPrefix("themectl: cannot read the picture \(path): "), "\(path): \(refused.errors)")
        #expect(refused.errors.contains(reason), "\(path): \(refused.errors)")
      }
      #expect(!FileManager.default.fileExists(atPath: session.directory.path("data/themed/themes/x.theme")))
    }
  }

  @Test func `damaged pictures make a theme or an error, but never a crash`() throws {
    try withSession { session in
      var generator = SeededGenerator()
      let place = try draw(session)
      let whole = try Data(contentsOf: URL(fileURLWithPath: "\(place)/sea.png"))
      for _ in 0..<20 {
        var data = whole
        for _ in 0..<3 {
          data[Int.random(in: 8..<data.count, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        try data.write(to: URL(fileURLWithPath: "\(place)/damaged.png"))
        let made = try make(session, "damaged", "\(place)/damaged.png", "--force")
        #expect(made.status == .exited(0) || made.status == .exited(2), "\(made.errors), \(generator)")
        #expect(!made.errors.contains("crashed"), "\(made.errors), \(generator)")
      }
    }
  }

  @Test func `without gdk-pixbuf, the error names the package`() throws {
    try withSession { session in
      let place = try draw(session)
      // A library that cannot be loaded stands for one that is missing.
      session.environment["LD_LIBRARY_PATH"] = session.directory.path("lib")
      try session.directory.write("", to: "lib/libgdk_pixbuf-2.0.so.0")
      let refused = try make(session, "x", "\(place)/sea.png")
      #expect(refused.status == .exited(2))
      #expect(refused.errors.contains("install gdk-pixbuf (on Debian: sudo apt install libgdk-pixbuf-2.0-0)"))
    }
  }

  @Test func `a theme follows the wallpaper that is chosen on the desktop, on the side that is shown`() throws {
    try withSession { session in
      session.environment["THEMED_APPS"] = Products.package + "/share"
      let command = try Products.path("themectl")
      session.environment["PATH"] =
        (command as NSString).deletingLastPathComponent + ":" + session.environment["PATH", default: ""]
      let place = try draw(session)
      let background = "org.gnome.desktop.background"
      let path = try make(session, "wall", "\(place)/sea.png", "--follow-wallpaper", "--title", "Wall").output
      let dark = try side("dark", of: path)
      let desktop = try session.prepareDesktop()
      try desktop.bus.start()
      try session.configure("[desktop]\nin-step=yes\n")
      _ = try session.startThemed()
      try eventually("the desktop's answer") { try session.themectl("get", "desktop").output == "none" }
      _ = try session.startApply()
      _ = try session.themectl("set", "theme", "wall")
      try eventually("the picture is the wallpaper") {
        try session.check("gsettings", ["get", background, "picture-uri"]).contains("\(place)/sea.png")
      }
      // The choice counts as one by hand only after the last write was seen.
      try eventually("the write was seen") {
        session.text("state/themed/desktop-settings.json")?.contains("\"last\":\"file://\(place)/sea.png\"") == true
      }
      try session.check("gsettings", ["set", background, "picture-uri", "file://\(place)/forest.png"])
      let other = try make(session, "other", "\(place)/forest.png").output
      try eventually("the theme is made again: \((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")") {
        try side("light", of: path) == side("light", of: other)
      }
      #expect(try side("dark", of: path) == dark)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.hasPrefix("[theme]\ntitle=Wall\n"))
      #expect(text.contains("[light.assets]\nwallpaper=\(place)/forest.png\n"))
      #expect(text.contains("[light.values]\nfollow-wallpaper=yes\n"))
      let primary = try #require(side("light", of: path).first { $0.hasPrefix("primary=") }).dropFirst(8)
      try eventually { try session.themectl("get", "palette.primary").output == primary }
      #expect(try session.check("gsettings", ["get", background, "picture-uri"]).contains("forest.png"))
      try session.awaitNoProblem()
    }
  }

  @Test func `options that do not go together are refused`() throws {
    try withSession { session in
      let alone = try session.themectl("theme", "new", "x", "--follow-wallpaper")
      #expect(alone.status == .exited(64))
      let both = try session.themectl("theme", "new", "x", "--from", "mint", "--picture", "a.png")
      #expect(both.status == .exited(64))
    }
  }
}
