import CThemedLinux
import Glibc
import ThemeApps
import ThemedText
import ThemedUnix
import ThemedVarlink

/// What has come of the apps that are enabled, as themed-apply says in its file.
struct ApplyStatus {
  /// What has come of one app.
  struct Entry {
    /// done, waiting, running, failed or idle.
    let state: Text
    /// Whether it is disabled and its files are written no more, though terminals may still have its colors.
    var isReleased = false
    /// When, in seconds since the epoch.
    let when: Int64?
    /// What went wrong.
    let problem: Text?
    /// What to do about it.
    let advice: Text?
    /// What came of each action, for people.
    let actions: [String]
    /// The whole, for programs.
    let json: JSON
  }

  /// What is read of the file, in bytes; it says less.
  private static let maximumSize = 1 << 20

  /// The apps, by name.
  let apps: [Text: Entry]
  /// What is wrong with the list of those that are enabled, and what to do about it.
  let problem: String?
  /// The user's hooks, by name.
  let hooks: [(name: Text, entry: Entry)]

  /// Reads the file; nil where themed-apply does not run.
  init?() {
    guard let runtime = BaseDirectory.runtime, Self.holder != nil else { return nil }
    let bytes = try? readFile("\(runtime)/themed-apply/status.json", maximum: Self.maximumSize)
    self.init(bytes ?? Array(#"{"apps":[]}"#.utf8))
  }

  /// The process of the themed-apply that runs; nil where none does, or its number is not told here.
  static var process: Int32? { holder.flatMap { $0 > 0 ? $0 : nil } }

  /// The process that has its lock, 0 where that is not known: one that was killed has left the file and no lock.
  private static var holder: Int32? {
    guard let path = BaseDirectory.runtime.map({ "\($0)/themed-apply/lock" }) else { return nil }
    return lockHolder(FileNumber(of: path))
  }

  /// What these bytes say; nil where they say nothing.
  init?(_ bytes: [UInt8]) {
    guard case .object(let object)? = try? JSON(parsing: bytes), case .array(let list)? = object["apps"] else {
      return nil
    }
    apps = Dictionary(Self.entries(list)) { $1 }
    let words = [object.text("problem"), object.text("advice")].compactMap { $0.map { printable($0) } }
    problem = words.isEmpty ? nil : words.joined(separator: "; ")
    if case .array(let list)? = object["hooks"] { hooks = Self.entries(list) } else { hooks = [] }
  }

  private static func entries(_ list: [JSON]) -> [(Text, Entry)] {
    list.compactMap { item in
      guard case .object(let item) = item, let name = item.text("name"), let state = item.text("state") else {
        return nil
      }
      let entry = Entry(
        state: state, isReleased: item.isTrue("released"), when: item.integer("when"), problem: item.text("problem"),
        advice: item.text("advice"),
        actions: item.actions, json: .object(item))
      return (name, entry)
    }
  }
}

extension ApplyStatus.Entry {
  /// How it stands, for people.
  func words(_ now: Int64) -> String {
    let time = when.map { " \(clockText($0, now: now))" } ?? ""
    let problem = [problem, advice].compactMap { $0.map { printable($0) } }.joined(separator: "; ")
    return printable(state) + time + (problem.isEmpty ? "" : ": \(problem)")
  }
}

extension JSON.Object {
  fileprivate func text(_ name: Text) -> Text? {
    if case .string(let text)? = self[name] { text } else { nil }
  }

  fileprivate func isTrue(_ name: Text) -> Bool {
    if case .bool(true)? = self[name] { true } else { false }
  }

  /// A line for each action.
  fileprivate var actions: [String] {
    guard case .array(let list)? = self["actions"] else { return [] }
    return list.compactMap { action in
      guard case .object(let action) = action, let name = action.text("name"), let state = action.text("state") else {
        return nil
      }
      let detail = action.text("detail").flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""
      return "\(name): \(state)\(detail)"
    }
  }

  fileprivate func integer(_ name: Text) -> Int64? {
    if case .integer(let number)? = self[name] { number } else { nil }
  }
}
