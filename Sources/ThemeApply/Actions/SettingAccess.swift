internal import Glibc
internal import Synchronization
internal import ThemeApps
internal import ThemedSystem

/// Reads and writes a desktop's settings, by their commands or in their files.
struct SettingAccess: Sendable {
  /// The result of reading.
  enum Reading: Sendable {
    case value(SettingValue)
    /// The setting can only be written.
    case unreadable
    /// The setting cannot be used now.
    case unusable(Fault)
  }

  let run: Run

  /// Whether a setting can have no value again: by a command, or in a file that no other command writes.
  func canReset(_ setting: App.DesktopSetting) -> Bool {
    setting.reset != nil || setting.write.isEmpty && setting.file != nil
  }

  /// Whether a name that was guessed is installed.
  func isInstalled(_ name: Text, _ setting: App.DesktopSetting) -> Bool {
    let data = BaseDirectory.data.map { Text($0) }
    return setting.installed.contains { path in
      path.paths(name, in: run.places.directories, data: data).contains { unsafe access($0.string, F_OK) == 0 }
    }
  }

  // MARK: Reading

  func read(_ setting: App.DesktopSetting) -> Reading {
    if let words = setting.read {
      switch execute(words, setting, isReading: true) {
      case .success(let output):
        guard let after = setting.after else {
          return .value(output.isEmpty ? .unset : .text(output.withoutVariantQuotes)).checked(for: setting)
        }
        let lines = output.split("\n", omittingEmpty: true)
        // Of several settings, each has a line that begins with its name.
        let isOne = setting.family != nil
        let values = Set(
          lines.filter { !isOne || $0.hasPrefix(after) }.map { $0.value(after: after, until: setting.until) }
        )
        // Where there is an end, the other lines are about something else.
        .subtracting(setting.until == nil ? [] : [nil])
        guard values.count == 1, let value = values.first?.flatMap(\.self) else {
          return .unusable(Self.noSingleValue(setting))
        }
        return .value(.text(value)).checked(for: setting)
      case .failure(.exit): return setting.after == nil ? .value(.unset) : .unusable(Self.noSingleValue(setting))
      case .failure(.fault(let fault)): return .unusable(fault)
      }
    }
    guard let file = setting.file else { return .unreadable }
    do throws(Fault) {
      let content = try content(of: file)
      return .value(content.flatMap { KeyFileText.value(in: $0, file) }.map { .text($0) } ?? .unset).checked(
        for: setting)
    } catch { return .unusable(error) }
  }

  /// The bytes of a file; nil if it does not exist.
  private func content(of file: App.SettingFile) throws(Fault) -> [UInt8]? {
    let path = try run.places.path(file.path)
    do throws(SystemError) {
      let bytes = try readFile(path, maximum: Limits.settingFile)
      // Its other lines have to stay as they are.
      guard Text(validating: bytes) != nil else { throw SystemError("reading it as UTF-8", EILSEQ) }
      return bytes
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return nil }
      let shown = Text(path).shown(atMost: 300)
      throw Fault("cannot read \(shown): \(SystemError.text(error.code))", "see 'ls -l \(shown)'", mendsItself: true)
    }
  }

  // MARK: Writing

  /// Writes a value; returns why that failed.
  ///
  /// - Parameter time: How long the setting may take to read as written, in milliseconds; nil if nobody looks.
  func write(_ value: SettingValue, to setting: App.DesktopSetting, checkingFor time: Int? = nil) -> Fault? {
    guard let text = value.text else { return reset(setting) }
    guard !setting.hasForeignCharacters(text) else { return Self.foreign(text, setting) }
    if !setting.write.isEmpty {
      guard let words = App.DesktopSetting.words(setting.write, value: text) else {
        return Self.foreign(text, setting)
      }
      switch execute(words, setting, isReading: false) {
      case .success: break
      case .failure(.exit(let fault)), .failure(.fault(let fault)): return fault
      }
    } else if let file = setting.file {
      do throws(Fault) { try write(text, to: file) } catch { return error }
    }
    guard let time else { return nil }
    return check(value, setting, until: monotonicMilliseconds() + time)
  }

  /// Looks whether a setting took a value, since some commands succeed without effect.
  private func check(_ value: SettingValue, _ setting: App.DesktopSetting, until deadline: Int) -> Fault? {
    while true {
      guard case .value(let there) = read(setting) else { return nil }
      if there == value { return nil }
      guard monotonicMilliseconds() < deadline, run.pause(Limits.desktopLook) else {
        let command = (setting.read ?? setting.write).map { $0.shown(atMost: 200) }.joined(separator: " ")
        return Fault(
          "the desktop's setting \(setting.name.shown()) is still \(there.words), although it was set to \(value.words)",
          "check whether the session bus and the desktop's settings work: '\(command)'", mendsItself: true)
      }
    }
  }

  /// Whether the user never set a setting; nil if that cannot be known.
  func isDefault(_ setting: App.DesktopSetting) -> Bool? {
    guard let words = setting.own, case .success(let output) = execute(words, setting, isReading: true) else {
      return nil
    }
    return output.isEmpty
  }

  /// The settings that a setting stands for, such as one for each screen.
  func instances(of setting: App.DesktopSetting) throws(Fault) -> [App.DesktopSetting] {
    guard let words = setting.each else { return [setting] }
    let output: Text
    switch execute(words, setting, isReading: true) {
    case .success(let lines): output = lines
    case .failure(.exit(let fault)), .failure(.fault(let fault)): throw fault
    }
    return output.split("\n", omittingEmpty: true)
      .filter { line in setting.eachEnd.map { line.hasSuffix($0) } ?? true }
      .compactMap { line in setting.eachUntil.map { line.before($0) } ?? line }
      .filter(\.canBePartOfWord).prefix(Limits.settingInstances).map { setting.instance($0) }
  }

  /// Gives a setting back a value that it had before, as the desktop's default if it is that.
  ///
  /// - Parameter isDefault: Whether the value was the default; nil if that is not known.
  func restore(_ value: SettingValue, to setting: App.DesktopSetting, isDefault: Bool?) -> Fault? {
    // The user had set it, so that nothing has to be reset in between.
    if isDefault == false, value != .unset { return write(value, to: setting) }
    // A key that is removed from a file would come back at another place.
    if value == .unset || setting.reset != nil, let fault = reset(setting) { return fault }
    guard value != .unset else { return nil }
    if setting.canBeRead, case .value(value) = read(setting) { return nil }
    return write(value, to: setting)
  }

  private func reset(_ setting: App.DesktopSetting) -> Fault? {
    if let words = setting.reset {
      switch execute(words, setting, isReading: false) {
      // What is not set cannot be reset.
      case .success, .failure(.exit): return nil
      case .failure(.fault(let fault)): return fault
      }
    }
    guard setting.write.isEmpty, let file = setting.file else { return nil }
    do throws(Fault) { try write(nil, to: file) } catch { return error }
    return nil
  }

  /// Held while a file is read and replaced, since several settings of one file are written at the same time.
  private static let writing = Mutex(())

  /// Writes a value into a file, or with nil removes it.
  private func write(_ value: Text?, to file: App.SettingFile) throws(Fault) {
    try Self.writing.withLock { _ throws(Fault) in try replace(file, value) }
  }

  private func replace(_ file: App.SettingFile, _ value: Text?, mayTryAgain: Bool = true) throws(Fault) {
    let path = try run.places.path(file.path)
    let shown = Text(path).shown(atMost: 300)
    let old = try content(of: file)
    do throws(SystemError) {
      let real = try destination(of: path)
      let new = KeyFileText.replacing(old, file, with: value)
      guard new != old, old != nil || value != nil else { return }
      // The file behind a link is the user's.
      let isGone = value == nil && new.isEmpty && Text(real) == Text(path)
      // With its access list and group, and not over what the desktop has saved meanwhile.
      let staged = try StagedFile(real, expecting: old, writing: isGone ? nil : new)
      try staged.put()
      staged.settle()
    } catch {
      guard !mayTryAgain || ![StagedFile.changedMeanwhile, ENOENT].contains(error.code) else {
        return try replace(file, value, mayTryAgain: false)
      }
      throw Fault("cannot write \(shown): \(SystemError.text(error.code))", "see 'ls -l \(shown)'", mendsItself: true)
    }
  }

  // MARK: Commands

  /// A command with the first of its programs that is installed: `kreadconfig6|kreadconfig5`.
  private func installed(_ words: [Text]) -> [Text] {
    let programs = words[0].split("|")
    let home = run.places.directories.home
    let arguments = words.dropFirst().map { word in
      word.dropping(prefix: "~/").flatMap { rest in home.map { "\($0)/\(rest)" } } ?? word
    }
    return [run.environment.first(of: programs) ?? words[0]] + arguments
  }

  private enum Failure: Error {
    /// The command ended with another status than 0.
    case exit(Fault)
    case fault(Fault)
  }

  /// Runs a command and returns its output without white space at the end.
  private func execute(
    _ words: [Text], _ setting: App.DesktopSetting, isReading: Bool
  ) -> Result<Text, Failure> {
    let words = installed(words)
    let name = words[0].shown(atMost: 200)
    let command = Command(
      words: words, time: setting.timeout * 1000, kept: Limits.settingOutput, startsPrograms: !isReading,
      dropsErrors: isReading)
    do throws(Fault) {
      let (end, bytes) = try command.perform(run)
      let output = Text(decoding: bytes.trimming { $0 <= 0x20 })
      if case .exited(0) = end { return .success(output) }
      let line = command.words.map { $0.shown(atMost: 80) }.joined(separator: " ")
      let said = output.split("\n", omittingEmpty: true).last.map { ": \($0.shown(atMost: 300))" } ?? ""
      switch end {
      case .exited(let status):
        return .failure(
          .exit(
            Fault(
              "\(name) failed with exit status \(status)\(said)", "try it by hand: '\(line)'", mendsItself: true)))
      case .tookTooLong:
        return .failure(
          .fault(
            Fault(
              "\(name) did not answer within \(setting.timeout) s and was killed",
              "check whether it hangs: '\(line)'", mendsItself: true)))
      case .killed, .ended:
        let problem = end.problem(name, seconds: setting.timeout)
        return .failure(.fault(Fault(problem?.text ?? "", problem?.advice ?? "", mendsItself: true)))
      }
    } catch { return .failure(.fault(error)) }
  }

  /// It could not be restored as it was, so that it is left alone.
  private static func noSingleValue(_ setting: App.DesktopSetting) -> Fault {
    Fault(
      "the desktop's setting \(setting.name.shown()) has no value, or several, such as one for each screen",
      "set the same one for all screens", isHarmless: true)
  }

  fileprivate static func foreign(_ value: Text, _ setting: App.DesktopSetting) -> Fault {
    Fault(
      "the desktop's setting \(setting.name.shown()) cannot be set to '\(value.shown(atMost: 200))', "
        + "because of a character that is not allowed",
      "use another name, without quotes and control characters")
  }
}

extension Text {
  /// The value between two parts of a line, the second of which ends it; nil if the line is another one.
  fileprivate func value(after start: Text, until end: Text?) -> Text? {
    guard let behind = rest(behind: start) else { return nil }
    guard let end else { return behind }
    return behind.dropping(suffix: end).flatMap { $0.rest(behind: end) == nil && !$0.isEmpty ? $0 : nil }
  }

  /// The text before a part of it; nil if it does not have this part.
  fileprivate func before(_ part: Text) -> Text? {
    utf8.place(of: part.utf8).map { Text(decoding: utf8[..<$0.lowerBound]) }
  }

  /// The text behind a part of it, without white space around it; nil if it does not have this part.
  private func rest(behind part: Text) -> Text? {
    utf8.place(of: part.utf8).map { Text(decoding: utf8[$0.upperBound...].trimming { $0 <= 0x20 }) }
  }
}

extension App.DesktopSetting {
  fileprivate func hasForeignCharacters(_ text: Text) -> Bool {
    canHaveSeveralLines ? text.hasControlsInLines : text.hasControls
  }
}

extension SettingAccess.Reading {
  private static func foreign(_ value: Text, _ setting: App.DesktopSetting) -> Fault {
    Fault(
      "the desktop's setting \(setting.name.shown()) stays '\(value.shown(atMost: 200))', "
        + "because themed-apply could not restore this value exactly",
      "set it to a shorter value without quotes and control characters")
  }

  /// The same, unless the value could not be written again as it is: then it is not overwritten either.
  fileprivate func checked(for setting: App.DesktopSetting) -> Self {
    guard case .value(.text(let text)) = self else { return self }
    // A character that is not UTF-8, or a string of GVariant with other escapes.
    let isChanged = text.holds("\u{FFFD}") || text.hasPrefix("'") || text.utf8.count >= Limits.settingOutput
    let isWritable = setting.write.isEmpty || App.DesktopSetting.words(setting.write, value: text) != nil
    return setting.hasForeignCharacters(text) || isChanged || !isWritable
      ? .unusable(Self.foreign(text, setting)) : self
  }
}
