import Testing
import ThemeApps
import ThemedSystem

@testable import ThemeSetup

/// Whether themed-apply can turn the desktop, by its report.
@Suite struct WriterReportTests {
  private let apps = [
    AppFile(
      name: "gtk",
      Array(
        """
        [app]
        title=GTK
        [desktop]
        desktops=GNOME
        [setting theme]
        write=set {value}
        reset=reset
        [setting color-scheme]
        read=get
        write=set {value}
        reset=reset
        kind=scheme
        light=a
        dark=b

        """.utf8)
    ).app
  ].compactMap(\.self)

  private func obstacle(_ desktop: String?, isUnreadable: Bool = false, _ apps: [App]? = nil) -> String? {
    let json = #"{"apps":[]\#(desktop.map { ",\"desktop\":\($0)" } ?? "")}"#
    return WriterReport(status: ApplyStatus(Array(json.utf8)), apps: apps ?? self.apps) { _ in isUnreadable }.obstacle
  }

  private func entry(_ settings: String, state: String = "done", files: String = #""gtk""#) -> String {
    #"{"name":"desktop","state":"\#(state)","files":[\#(files)],"settings":[\#(settings)]}"#
  }

  @Test func `a setting that was read can be written`() {
    #expect(obstacle(entry(#"{"app":"gtk","name":"color-scheme","value":"a"}"#)) == nil)
    #expect(obstacle(entry(#"{"app":"gtk","name":"color-scheme","value":"a"}"#, state: "failed")) == nil)
    let unset = entry(#"{"app":"gtk","name":"color-scheme","value":null}"#)
    #expect(obstacle(unset) == nil)
    let words = "themed-apply cannot read the setting color-scheme of GTK"
    #expect(obstacle(unset, isUnreadable: true) == words)
    #expect(obstacle(entry(#"{"app":"gtk","name":"theme","value":"x"}"#)) == words)
    let told = #"{"name":"desktop","state":"waiting","problem":"no bus","advice":"look","files":["gtk"],"settings":[]}"#
    #expect(obstacle(told) == words + ": no bus; look")
  }

  @Test func `a writer without a report, without an app file or without the setting is told`() {
    #expect(WriterReport(status: nil, apps: apps).obstacle == "themed-apply is not running")
    for desktop in [nil, entry("", state: "running"), entry("", state: "idle")] {
      #expect(obstacle(desktop) == "themed-apply has not read the desktop's settings yet")
    }
    #expect(obstacle(entry("", files: "")) == "themed-apply uses no app file for this desktop")
    var other = apps
    other[0].desktop?.settings.removeLast()
    #expect(
      obstacle(entry(""), other)
        == "the app file 'gtk' does not have the setting from which the desktop reports light and dark")
  }
}
