import Glibc
package import ThemeApps
import ThemedModel
package import ThemedSystem

/// A repository of templates for tinted-theming's builders: `templates/config.yaml`, and a file `NAME.mustache` next to
/// it for each member.
package struct TemplateRepository {
  package struct Entry {
    package let name: Text
    package let system: PaletteSystem
    /// The name that the builders give to the result, for a theme named `themed`.
    package let fileName: Text
    package let bytes: [UInt8]
  }

  package let entries: [Entry]
  package let ignored: [String]

  /// Reads the repository that has a directory `templates`, or is that directory.
  package init(at path: String) throws(Refusal) {
    guard let prefix = ["templates/", ""].first(where: { FileIdentity(of: "\(path)/\($0)config.yaml") != nil }) else {
      guard FileIdentity(of: path) != nil else {
        let reason = reasonOfAbsence(path)
        throw Refusal("cannot read \(path): \(reason); give the directory of a base16 template repository")
      }
      throw Refusal("\(path) has no templates/config.yaml; give the directory of a base16 template repository")
    }
    let config = "\(path)/\(prefix)config.yaml"
    let bytes = try Self.bytes(of: "\(prefix)config.yaml", in: path, maximum: SchemeFile.maximumBytes)
    let file: SchemeFile
    do throws(SchemeFile.Problem) {
      file = try SchemeFile(yaml: bytes)
    } catch { throw Refusal("\(config): \(error)") }
    var entries: [Entry] = []
    var ignored: [String] = []
    for member in file.members {
      do throws(Refusal) {
        entries.append(try Self.entry(member, prefix, in: path))
      } catch {
        let place = "\(config):\(member.line ?? 1)"
        ignored.append("\(place): '\(member.name.shown(atMost: 80))' is skipped: \(error)")
      }
    }
    (self.entries, self.ignored) = (entries, ignored)
  }

  /// The content of a file in the repository, whose links are not followed, because its author is unknown.
  private static func bytes(of file: String, in path: String, maximum: Int) throws(Refusal) -> [UInt8] {
    do throws(SystemError) {
      return try readFile(file, beneath: path, maximum: maximum)
    } catch {
      let isLink = error.code == ELOOP || error.code == EXDEV
      throw Refusal(
        isLink
          ? "\(path)/\(file) is, or is below, a symbolic link, which themectl does not follow" : "\(error)")
    }
  }

  private static func entry(
    _ member: SchemeFile.Member, _ prefix: String, in repository: String
  ) throws(Refusal) -> Entry {
    guard case .members(let settings) = member.value, App.isValidName(member.name) else {
      throw Refusal("expected a template's name, \(Theme.nameExpectation), with settings below it")
    }
    let system = try system(settings)
    let file = "\(prefix)\(member.name).mustache"
    let path = "\(repository)/\(file)"
    let bytes = try bytes(of: file, in: repository, maximum: Template.maximumSize)
    do throws(Template.Problem) {
      _ = try Template(parsing: bytes)
    } catch { throw Refusal("\(path): \(error)") }
    return Entry(name: member.name, system: system, fileName: try fileName(settings, system), bytes: bytes)
  }

  /// The larger palette of those that a template is for; base16 if it names none.
  private static func system(_ settings: [SchemeFile.Member]) throws(Refusal) -> PaletteSystem {
    let listed = settings.first { $0.name == "supported-systems" || $0.name == "supports" }
    let names: [Text]
    switch listed?.value {
    case nil: names = ["base16"]
    case .list(let list): names = list.compactMap(\.text)
    case .text(let name): names = [name]
    case .members(let members): names = members.map(\.name)
    case .other: names = []
    }
    guard let system = [PaletteSystem.base24, .base16].first(where: { names.contains(Text($0.rawValue)) }) else {
      let systems = names.isEmpty ? "no system" : names.map { $0.shown(atMost: 40) }.joined(separator: ", ")
      throw Refusal("the template is for \(systems), but themed supports only base16 and base24")
    }
    return system
  }

  /// The builders' name of the result: `filename`, or else `output` and `extension`, which is appended unchanged.
  private static func fileName(_ settings: [SchemeFile.Member], _ system: PaletteSystem) throws(Refusal) -> Text {
    func text(_ name: Text) -> Text? {
      if case .text(let text)? = settings.first(where: { $0.name == name })?.value { text } else { nil }
    }
    let legacy: Text = "\(text("output") ?? ".")/{{scheme-system}}-{{scheme-slug}}\(text("extension") ?? "")"
    let written = text("filename") ?? legacy
    let shown = AppVariables.Shown(scheme: .dark, theme: "themed", palette: Palette([:], for: .dark))
    do throws(Template.Problem) {
      let bytes = try Template(parsing: Array(written.utf8))
        .render(AppVariables(shown, for: App(name: "themed"), system: system), escape: .none)
      guard let name = Text(decoding: bytes).split("/", omittingEmpty: true).last, name.count <= 255, !name.hasControls
      else { throw Template.Problem(text: "it would be '\(Text(decoding: bytes).shown(atMost: 80))'") }
      return name
    } catch { throw Refusal("the file name '\(written.shown(atMost: 80))' is invalid: \(error.text)") }
  }
}
