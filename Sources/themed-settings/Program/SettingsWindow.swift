internal import CThemedGtk
internal import SettingsModel

/// The window, its banner and what its pages have in common.
final class SettingsWindow {
  let ui = Interface(PackageResources.window_ui)
  let window: Widget
  private var isStarted = false
  private var follower: Follower?
  private var pages: [any Page] = []
  /// The problems of the pages that cannot be read, which have been shown.
  private var problems: [String: String] = [:]

  init(_ application: Widget) {
    unsafe PackageResources.style_css.withUnsafeBytes { bytes in
      unsafe themed_set_style(
        themed_add_style(), bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    window = ui["window"]
    unsafe themed_window_set_application(window.raw, application.raw)
    pages = [AppearancePage(self), ThemesPage(self), ProgramsPage(self), DoctorPage(self)]
    ui["stack"].on("notify::visible-child") { [unowned self] in refresh() }
    // A narrow window has its pages at the bottom.
    ui["switcher"].on("notify::title-visible") { [unowned self] in
      ui["bar"].set("reveal", ui["switcher"].flag("title-visible"))
    }
    for (index, page) in pages.enumerated() {
      let name = page.name
      addAction(name, "<Alt>\(index + 1)") { [unowned self] in unsafe themed_show_page(ui["stack"].raw, name) }
    }
    addAction("refresh", "F5") { [unowned self] in refresh() }
    addAction("close", "<Control>w") { [unowned self] in
      unsafe gtk_window_close(window.raw.assumingMemoryBound(to: GtkWindow.self))
    }
  }

  func present() {
    unsafe themed_window_present(window.raw)
    guard !isStarted else { return refresh() }
    isStarted = true
    // The window comes first: the programs that it runs would delay it.
    later(milliseconds: 1) { [unowned self] in
      refresh()
      // A change of the state, or the end of the daemon.
      follower = Follower { [unowned self] in refresh() }
    }
    tick()
  }

  private func addAction(_ name: String, _ key: String, _ body: @escaping () -> Void) {
    let handler = unsafe Handler.kept { _ in body() }
    unsafe withCStrings([key]) {
      unsafe themed_add_action(window.raw, name, $0, { unsafe Handler.at($0)?.body("") }, handler)
    }
  }

  /// Calls `body` once, when the loop has nothing more urgent to do.
  func later(milliseconds: CUnsignedInt, _ body: @escaping () -> Void) {
    let handler = unsafe Handler.kept { _ in body() }
    _ = unsafe g_timeout_add_full(
      G_PRIORITY_LOW, milliseconds,
      { data in
        unsafe Handler.at(data)?.body("")
        return 0
      }, handler
    ) { unsafe Handler.release($0) }
  }

  /// Reads again each minute, since the clock changes what is shown.
  private func tick() {
    later(milliseconds: 60_000) { [unowned self] in
      refresh()
      tick()
    }
  }

  // MARK: What the pages need

  /// Reads what the page that is shown shows.
  func refresh() {
    guard let name = unsafe themed_visible_page(ui["stack"].raw) else { return }
    let shown = unsafe String(cString: name)
    for page in pages where page.name == shown || page.isAlwaysRead { page.read() }
  }

  /// Changes something, shows the notes or the failure, and shows the result.
  func change(_ arguments: [String], _ done: @escaping (Themectl.Result) -> Void = { _ in }) {
    Themectl.run(arguments) { [unowned self] result in
      complain(result.isDone ? message(ofErrors: result.errors) : result.message)
      done(result)
      refresh()
    }
  }

  /// Says why a page cannot be read, once; nil if it could be read.
  func report(_ problem: String?, on page: String) {
    guard problems[page] != problem else { return }
    problems[page] = problem
    complain(problem ?? "")
  }

  /// Shows a message: a short one for some seconds, a longer one until it is closed.
  func complain(_ text: String) {
    guard !text.isEmpty else { return }
    guard text.contains("\n") || text.utf8.count > 90 else { return toast(text) }
    ask(tr("themectl says"), text, [("close", tr("Close"))]) { _ in }
  }

  func toast(_ text: String) {
    let markup = unsafe g_markup_escape_text(text, -1)
    defer { unsafe g_free(markup) }
    unsafe themed_toast(ui["toasts"].raw, markup)
  }

  /// Asks a question; the last answer is the one that is suggested, if there are several.
  func ask(
    _ title: String, _ text: String, _ answers: [(id: String, label: String)], _ done: @escaping (String) -> Void
  ) {
    guard let dialog = unsafe themed_dialog(window.raw, title, text) else { return }
    for answer in answers { unsafe themed_dialog_answer(dialog, answer.id, answer.label) }
    if answers.count > 1, let last = answers.last { unsafe themed_dialog_suggest(dialog, last.id) }
    unsafe Widget(dialog).onAnswer("response", done)
    unsafe themed_window_present(dialog)
  }

  /// Says what keeps the window from showing anything; nil if nothing does.
  func banner(_ text: String?) {
    if let text { ui["banner-text"].set("label", text) }
    ui["banner"].set("visible", text != nil)
  }
}

/// A page of the window.
protocol Page: AnyObject {
  var name: String { get }
  /// Whether the page is read even if another one is shown.
  var isAlwaysRead: Bool { get }
  /// Reads what the page shows, and shows it.
  func read()
}

extension Page {
  var isAlwaysRead: Bool { false }
}

/// Runs one command of `themectl` that reads, never twice at a time.
final class Reader {
  private let arguments: [String]
  private let done: (Themectl.Result) -> Void
  private var isRunning = false
  private var isDue = false

  init(_ arguments: [String], _ done: @escaping (Themectl.Result) -> Void) {
    (self.arguments, self.done) = (arguments + ["--json"], done)
  }

  func read() {
    isDue = isRunning
    guard !isRunning else { return }
    isRunning = true
    Themectl.run(arguments) { [self] result in
      isRunning = false
      done(result)
      // Something has changed since the command started. Its answer is shown first, because the next one may be late, too.
      if isDue { read() }
    }
  }
}
