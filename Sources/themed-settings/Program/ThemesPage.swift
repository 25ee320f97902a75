internal import CThemedGtk
internal import SettingsModel

/// The page of the themes: a card for each, with its sides.
final class ThemesPage: Page {
  let name = "themes"

  private unowned let owner: SettingsWindow
  private var reader: Reader?
  private var list: [Theme] = []
  private var themes: [Theme] = []
  private var cards: [Interface] = []
  private let faulty: Rows
  private let style = unsafe Widget(themed_add_style())
  /// The preview that the user points at, and the one that is shown; nil if the window has its own colours.
  private var pointed: Preview?
  private var shown: Preview?

  private var ui: Interface { owner.ui }

  init(_ owner: SettingsWindow) {
    self.owner = owner
    faulty = Rows(in: owner.ui["faulty"])
    reader = Reader(["theme"]) { [unowned self] result in
      let read = SettingsModel.themes(result.output)
      owner.report(read == nil ? result.message : nil, on: name)
      // Without an answer, the known themes again: a click may have moved one of their buttons in vain.
      show(read ?? list)
    }
    ui["configured"].on("clicked") { [unowned owner] in owner.change(["unset", "theme"]) }
    ui["import"].on("clicked") { [unowned self] in chooseFiles() }
    unsafe themed_on_files(
      ui["window"].raw, { data, value, _, _, _ in unsafe ThemesPage.drop(value, on: data) },
      Unmanaged.passUnretained(self).toOpaque())
  }

  func read() { reader?.read() }

  private func show(_ list: [Theme]) {
    self.list = list
    let usable = list.filter { !$0.sides.isEmpty }
    let isSame = usable.map(\.colors) == themes.map(\.colors)
    themes = usable
    if !isSame { makeCards() }
    for (card, theme) in zip(cards, themes) {
      for side in Side.allCases {
        card[side.rawValue].set("active", theme.chosen.contains(side))
        card[side.rawValue].name(theme.words(side))
        card[side.rawValue].set("tooltip-text", theme.words(side))
      }
    }
    let broken = list.filter { $0.sides.isEmpty }
    ui["faulty"].set("visible", !broken.isEmpty)
    faulty.show(broken.map { Row(key: $0.name, title: $0.label, subtitle: $0.problem ?? "") })
  }

  /// Shows the window in the colours of a side, a moment later, since a pointer crosses other sides on its way.
  private func preview(_ preview: Preview?) {
    pointed = preview
    owner.later(milliseconds: 150) { [unowned self] in
      guard pointed == preview, shown != preview else { return }
      shown = preview
      unsafe themed_set_style(style.raw, preview?.style ?? "", -1)
      themed_use_scheme(
        preview.map { $0.side == .light ? ADW_COLOR_SCHEME_FORCE_LIGHT : ADW_COLOR_SCHEME_FORCE_DARK }
          ?? ADW_COLOR_SCHEME_DEFAULT)
    }
  }

  private func makeCards() {
    // The sides that go do not say that the pointer has left them.
    preview(nil)
    for card in cards { unsafe themed_flow_remove(ui["cards"].raw, card["card"].raw) }
    cards = themes.map { theme in
      let card = Interface(PackageResources.card_ui)
      card["name"].set("label", theme.label)
      card["name"].on("clicked") { [unowned owner] in owner.change(theme.command) }
      for side in Side.allCases {
        let swatch = theme.swatch(side)
        card[side.rawValue].set("visible", swatch != nil)
        card[side.rawValue].on("clicked") { [unowned owner] in owner.change(theme.command(side)) }
        let (pointer, focus) = (card["\(side.rawValue)-pointer"], card["\(side.rawValue)-focus"])
        pointer.on("enter") { [unowned self] in preview(theme.preview(side)) }
        // A click moves the focus, too, which then stays.
        focus.on("enter") { [unowned self] in
          if owner.window.flag("focus-visible") { preview(theme.preview(side)) }
        }
        for controller in [pointer, focus] { controller.on("leave") { [unowned self] in preview(nil) } }
        if let swatch { Canvas.draw(on: card["\(side.rawValue)-swatch"]) { draw(swatch, on: $0) } }
      }
      unsafe themed_flow_append(ui["cards"].raw, card["card"].raw)
      return card
    }
  }

  // MARK: Import

  /// Imports files, each of which is a GFile, and names those that cannot be passed to `themectl`.
  private func importThemes(_ files: [UnsafeMutableRawPointer]) {
    let paths = unsafe files.compactMap { unsafe filePath($0) }
    let others = unsafe files.filter { unsafe filePath($0) == nil }.map { unsafe fileName($0) }
    if !others.isEmpty {
      owner.complain(
        tr(
          "Copy these files to this computer first, or give them names in UTF-8:\n{files}",
          ["files": others.joined(separator: "\n")]))
    }
    guard !paths.isEmpty else { return }
    owner.change(["theme", "import", "--json", "--"] + paths) { [unowned self] result in
      // Also if others were refused, which is said already.
      let names = decoded(Outcome.self, result.output)?.importedNames ?? ""
      if !names.isEmpty { owner.toast(tr("Imported {themes}", ["themes": names])) }
    }
  }

  private static func drop(_ value: UnsafePointer<GValue>?, on data: UnsafeMutableRawPointer?) -> gboolean {
    guard let data = unsafe data, let value = unsafe value, let list = unsafe g_value_get_boxed(value) else { return 0 }
    let page = unsafe Unmanaged<ThemesPage>.fromOpaque(data).takeUnretainedValue()
    let files = unsafe gdk_file_list_get_files(OpaquePointer(list))
    defer { unsafe g_slist_free(files) }
    unsafe page.importThemes(
      sequence(first: files, next: { unsafe $0?.pointee.next }).compactMap { unsafe $0?.pointee.data })
    return 1
  }

  private func chooseFiles() {
    guard
      let chooser = unsafe themed_chooser(ui["window"].raw, tr("Colour scheme files"), tr("Import"))
    else { return }
    unsafe Widget(chooser).onResponse { [unowned self] response in
      defer { unsafe g_object_unref(chooser) }
      // A chooser that was cancelled still has its selection.
      guard response == Int(GTK_RESPONSE_ACCEPT.rawValue) else { return }
      let files = unsafe themed_chosen_files(chooser)
      defer { unsafe g_object_unref(UnsafeMutableRawPointer(files)) }
      let list = unsafe (0..<g_list_model_get_n_items(files)).compactMap { unsafe g_list_model_get_item(files, $0) }
      defer { unsafe list.forEach { unsafe g_object_unref($0) } }
      unsafe importThemes(list)
    }
  }
}

/// The path of a GFile; nil if the file is not on this machine, or if its path is not UTF-8.
private func filePath(_ file: UnsafeMutableRawPointer) -> String? {
  guard let path = unsafe g_file_get_path(OpaquePointer(file)) else { return nil }
  defer { unsafe g_free(path) }
  return unsafe g_utf8_validate(path, -1, nil) != 0 ? String(cString: path) : nil
}

/// The name of a GFile for the user.
private func fileName(_ file: UnsafeMutableRawPointer) -> String {
  let name = unsafe g_file_get_parse_name(OpaquePointer(file))
  defer { unsafe g_free(name) }
  return unsafe name.map { unsafe String(cString: $0) } ?? ""
}

/// Draws one side of a theme: a window with lines of text, and the colours that programs use.
private func draw(_ swatch: Swatch, on canvas: Canvas) {
  func use(_ color: Color) { canvas.color(color.red, color.green, color.blue) }
  canvas.save()
  canvas.clip(1, 1, canvas.width - 2, canvas.height - 2, corner: 6)
  canvas.newPath()
  use(swatch.background)
  canvas.rectangle(0, 0, canvas.width, canvas.height)
  use(swatch.text)
  for (index, length) in [0.55, 0.75, 0.4].enumerated() {
    let width = (canvas.width - 20) * length
    let x = canvas.isRightToLeft ? canvas.width - 10 - width : 10
    canvas.rectangle(x, 11 + Double(index) * 9, width, 3)
  }
  let step = (canvas.width - 20) / Double(max(1, swatch.patches.count))
  for (index, color) in swatch.patches.enumerated() {
    use(color)
    let place = 10 + step * (Double(index) + 0.5)
    canvas.circle(canvas.isRightToLeft ? canvas.width - place : place, canvas.height - 14, min(5, step * 0.4))
  }
  canvas.restore()
  canvas.save()
  canvas.clip(1, 1, canvas.width - 2, canvas.height - 2, corner: 6)
  canvas.edge(0.25)
  canvas.restore()
}
