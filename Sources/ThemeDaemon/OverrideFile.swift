internal import Appearance
internal import ForeignText
internal import Glibc
internal import ThemeInterface
internal import Unix
internal import Varlink

/// The overrides as a file: `overrides.json` in the state directory.
struct OverrideFile {
  /// Why a state file is of no use, though it could be read.
  struct Damage: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  private static let version: Int64 = 1

  /// What the file holds for `overrides`.
  static func content(_ overrides: Overrides) -> [UInt8] {
    let list = overrides.list.map { (override, end) in
      var entry = override.parameters
      entry["desktopWas"] = end.desktopWas.map { .word($0.rawValue) }
      return JSON.object(entry)
    }
    return JSON.object(["version": .integer(version), "overrides": .array(list)]).bytes + [UInt8(ascii: "\n")]
  }

  /// Reads what ``content(_:)`` wrote.
  static func parse(_ bytes: [UInt8]) throws(Damage) -> Overrides {
    var overrides = Overrides()
    do {
      guard case .object(let object) = try JSON(parsing: bytes) else { throw Damage(description: "not an object") }
      var file = Parameters(object)
      guard try file.integer("version") == version else {
        throw Damage(description: "not of version \(version), which is the one that this daemon knows")
      }
      guard case .array(let list)? = file.value("overrides") else { throw Damage(description: "no overrides") }
      try file.finish()
      for value in list {
        guard case .object(let object) = value else { throw Damage(description: "an override is no object") }
        var parameters = Parameters(object)
        let override = try Override(reading: &parameters)
        let desktopWas = try parameters.word("desktopWas", of: Preference.self)
        try parameters.finish()
        let end = desktopWas.map { End(expiresAt: override.expiresAt, desktopWas: $0) }
        overrides[app: override.app].set(override, until: end ?? End(of: override, desktop: .unavailable))
      }
    } catch let damage as Damage {
      throw damage
    } catch let error as VarlinkError {
      throw Damage(description: "a wrong or unknown member: \(JSON.object(error.parameters).text)")
    } catch {
      throw Damage(description: "\(error)")
    }
    return overrides
  }

  /// Reads the file at `path`; one that is not there holds nothing.
  ///
  /// One that is damaged or cannot be read is moved aside, never overwritten: `log` tells where to. Nil where it cannot
  /// be moved either, so that nothing may be saved there.
  static func load(from path: String, log: Log) -> Overrides? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try readFile(path, maximum: Limits.file)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return Overrides() }
      return setAside(path, "cannot be read: \(error)", log)
    }
    do throws(Damage) {
      return try parse(bytes)
    } catch {
      return setAside(path, "is damaged: \(error)", log)
    }
  }

  private static func setAside(_ path: String, _ reason: String, _ log: Log) -> Overrides? {
    let aside = "\(path).damaged-\(time(nil))"
    guard unsafe rename(path, aside) == 0 else {
      let failure = SystemError.text(errno)
      log.warning("\(path) \(reason). It cannot be moved aside either (\(failure)), so overrides are not saved")
      return nil
    }
    log.warning("\(path) \(reason). It was moved to \(aside), and no override is restored")
    return Overrides()
  }
}
