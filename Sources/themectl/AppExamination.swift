import Glibc
import ThemeApps
import ThemedText
import ThemedUnix

/// An app's file as it was read, with its templates, and everything that can be said of them.
struct AppExamination {
  /// What is wrong, or may be, and in which file.
  struct Remark {
    let path: String
    let line: Int?
    let isError: Bool
    let text: String

    /// The remark behind its place, as compilers have it.
    var shown: String {
      let place = printable(path) + (line.map { ":\($0)" } ?? "")
      return "\(place): \(isError ? "error" : "warning"): \(printable(text))"
    }
  }

  /// What it is enabled by.
  let name: Text
  /// Its file.
  let path: String
  /// What the file says; nil where it is wrong.
  private(set) var app: App?
  /// What is wrong, or may be: of the file, then of its templates.
  private(set) var remarks: [Remark] = []

  /// What keeps it from being enabled.
  var errors: [Remark] { remarks.filter(\.isError) }

  /// Reads an app's file and its templates.
  init(_ name: Text, path: String, in places: AppPlaces) {
    self.name = name
    self.path = path
    guard let bytes = read(path, maximum: AppFile.maximumSize) else { return }
    let file = AppFile(name: name, bytes)
    app = file.app
    remarks += file.remarks.map { Remark(path: path, line: $0.line, isError: $0.isError, text: $0.text) }
    for template in file.app?.templates ?? [] { examine(template, places) }
  }

  private mutating func examine(_ name: Text, _ places: AppPlaces) {
    guard let app, let path = places.path(ofTemplate: name, for: path) else {
      let text = "there is no template '\(name)' in \(places.path.templateDirectories.joined(by: " or in "))"
      return remarks.append(Remark(path: self.path, line: nil, isError: true, text: text))
    }
    guard let bytes = read(path, maximum: Template.maximumSize) else { return }
    do throws(Template.Problem) {
      let template = try Template(parsing: bytes)
      remarks += app.unknownMentions(in: template).map { mention in
        let text = "'\(mention.name.shown(atMost: 80))' is no variable, and is empty"
        return Remark(path: path, line: mention.line, isError: false, text: text)
      }
    } catch {
      remarks.append(Remark(path: path, line: error.line, isError: true, text: error.text))
    }
  }

  private mutating func read(_ path: String, maximum: Int) -> [UInt8]? {
    do throws(SystemError) {
      return try readFile(path, maximum: maximum)
    } catch {
      let reason =
        error.code == EFBIG
        ? "it is longer than \(maximum >> 10) KiB" : "it cannot be read: \(SystemError.text(error.code))"
      remarks.append(Remark(path: path, line: nil, isError: true, text: reason))
      return nil
    }
  }
}

extension App {
  /// The program that is installed; nil where none of its names is in PATH.
  var installedProgram: String? { programs.lazy.compactMap { programInPath($0) }.first }

  /// The version of the program that is installed; nil where nobody tells.
  var installedVersion: Version? {
    guard !versionCommand.isEmpty, let run = Program.run(versionCommand.map(\.string)) else { return nil }
    return run.lines.lazy.compactMap { Version(toldBy: $0) }.first
  }

  /// The lines that the user's files need for the version that is installed.
  var neededSetups: [Setup] {
    let all = setups
    guard all.contains(where: { !$0.versions.isAll }) else { return all }
    let version = installedVersion
    return all.filter { $0.versions.contains(version) }
  }
}
