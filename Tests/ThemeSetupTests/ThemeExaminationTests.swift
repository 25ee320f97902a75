import Testing
import ThemedModel
import ThemedSystem
import ThemedTestSupport

@testable import ThemeSetup

/// What `themectl theme check` says of a theme's file.
@Suite struct ThemeExaminationTests {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
  }

  private func remarks(_ text: String, name: Text = "mint") throws -> [String] {
    let path = try directory.write(text, to: "\(name).theme")
    let examination = ThemeExamination(InstalledThemes.Place(name: name, path: path))
    #expect((examination.theme == nil) == !examination.errors.isEmpty)
    return examination.remarks.map { $0.shown(in: "F") }
  }

  @Test("A good theme has nothing said of it")
  func good() throws {
    _ = try directory.write("", to: "a.png")
    #expect(try remarks("[light.palette]\ntint=#26c472\n[light.assets]\nwallpaper=a.png\n") == [])
  }

  @Test("Every problem is told, with its line: lines, keys, colours, images, contrast")
  func every() throws {
    let remarks = try remarks(
      """
      [theme]
      titel=Mint
      what is this
      [light.palette]
      background=#ffffff
      text=#aaaaaa
      secondary-text=#333333
      link=reddish
      accent=#123456
      [light.assets]
      wallpaper=nowhere.png
      icon=~/nowhere/icon.png
      [light.values]
      bat=a\\qb
      """)
    #expect(remarks.count == 8)
    for (remark, start) in zip(
      remarks,
      [
        "F:2: warning: [theme] titel should be one of: title, author; themed ignores it",
        "F:3: error: 'what is this' should be a group in brackets, key=value, or a comment after #",
        "F:6: warning: [light.palette] the contrast of text on background is 2.32, but should be at least 4.50",
        "F:8: error: [light.palette] link is 'reddish', but should be a colour such as #3584e4",
        "F:9: warning: [light.palette] accent should be the name of a role",
        "F:11: warning: [light.assets] wallpaper is 'nowhere.png', but should be the path of a file that can be read",
        "F:12: warning: [light.assets] icon is '~/nowhere/icon.png'",
        "F:14: error: [light.values] bat is 'a\\qb', but should be UTF-8 text with no escapes except",
      ])
    {
      #expect(remark.hasPrefix(start), "\(remark)")
    }
  }

  @Test("A contrast is told at the line that gives the colour: the role's, or another name's")
  func places() throws {
    let semantic = try remarks("[dark.palette]\nbase00=#000000\nerror=#330000\n")
    #expect(
      semantic == [
        "F:3: warning: [dark.palette] the contrast of error on background is 1.14, but should be at least 4.50"
      ])
    let tint = try remarks("[dark.palette]\n\ntint=#777777\nprimary-text=#777777\n")
    #expect(
      tint.contains { $0.hasPrefix("F:4: warning: [dark.palette] the contrast of primary-text on primary is 1.00") })
  }

  @Test("Colours that say different things and look alike are told, at the line of the first that is given")
  func alike() throws {
    let error = try remarks(
      "[dark.palette]\nbase00=#1a1b26\nbase05=#a9b1d6\nbase02=#2f3549\nbase0B=#9ece6a\n# red\nbase08=#c0caf5\nbase04=#b0b0c0\n"
    )
    #expect(
      error == [
        "F:7: warning: [dark.palette] error looks like text: their distance in OKLab is 7, but should be at least 10"
      ])
    let success = try remarks("[light.palette]\nerror=#7c3c3c\nsuccess=#7c4040\n")
    #expect(success.count == 1)
    #expect(
      success.first?.hasPrefix("F:2: warning: [light.palette] error looks like success: their distance in OKLab is ")
        == true)
    let selection = try remarks("[light.palette]\nbase00=#fafafa\nbase02=#f8f9fa\n")
    #expect(
      selection == [
        "F:3: warning: [light.palette] selection looks like background: their distance in OKLab is 0, but should be at "
          + "least 4"
      ])
    #expect(try remarks("[light.palette]\nbase00=#fafafa\nbase02=#e0e0e0\nbase08=#c00000\nbase0B=#007000\n") == [])
  }

  @Test("Slots that text is coloured with are told where they are hard to read, if the theme gives them")
  func slots() throws {
    #expect(
      try remarks("[dark.palette]\nbase00=#000000\nbase09=#333333\nbase0F=#ffffff\n") == [
        "F:3: warning: [dark.palette] the contrast of base09 on base00 is 1.66, but should be at least 4.50"
      ])
  }

  @Test("A terminal's colours that are hard to read are told if the theme gives them, except black and white")
  func terminal() throws {
    let given = "background=#000000\ntext=#eeeeee\nansi0=#000000\nansi1=#400000\nansi2=#00d000\nansi8=#101010\n"
    #expect(
      try remarks("[dark.palette]\n\(given)ansi13=#300030\n") == [
        "F:5: warning: [dark.palette] the contrast of ansi1 on background is 1.21, but should be at least 4.50",
        "F:8: warning: [dark.palette] the contrast of ansi13 on background is 1.16, but should be at least 4.50",
      ])
  }

  @Test("What stands for both sides is told at its line, an image once, and a name of no colour where it is given")
  func both() throws {
    let remarks = try remarks(
      "[light.palette]\n[dark.palette]\n[both.palette]\nerror=rose\nlink=#777777\nbackground=gone\n[both.assets]\nicon=x.png\n"
        + "[both.colors]\nrose=#808080\ngone=red\n")
    #expect(
      remarks == [
        "F:4: warning: [light.palette] the contrast of error on background is 3.94, but should be at least 4.50",
        "F:5: warning: [light.palette] the contrast of link on background is 4.47, but should be at least 4.50",
        "F:8: warning: [both.assets] icon is 'x.png', but should be the path of a file that can be read; it is left out",
        "F:11: error: [both.colors] gone is 'red', but should be a colour such as #3584e4",
      ])
  }

  @Test("A file without a side, an empty one, one that is too long and none at all are told")
  func whole() throws {
    let noSide = "F: error: there should be a side: a group [light.palette] or [dark.palette]"
    #expect(try remarks("[theme]\ntitle=Mint\n") == [noSide])
    #expect(try remarks("") == [noSide])
    #expect(try remarks(String(repeating: "#", count: 65_537)) == ["F: error: the file is longer than 64 KiB"])
    let missing = ThemeExamination(InstalledThemes.Place(name: "x", path: directory.path("x.theme")))
    #expect(
      missing.remarks.map { $0.shown(in: "F") } == ["F: error: cannot read the file: No such file or directory"])
  }

  @Test("The name that a file gives a theme is looked at, too")
  func name() throws {
    #expect(try remarks("[dark.palette]\n", name: "a b").count == 1)
  }

  @Test("A theme that is named by its path is called as it was typed, and known from the root on")
  func typed() throws {
    let place = try #require(InstalledThemes.ofUser.place(meantBy: "./sub/x.theme"))
    #expect(place.shown == "./sub/x.theme")
    #expect(place.path.hasPrefix("/") && place.path.hasSuffix("/sub/x.theme") && !place.path.contains("./"))
    #expect(place.name == "x")
    #expect(InstalledThemes.Place(name: "x", path: "/x.theme").shown == "/x.theme")
  }
}
