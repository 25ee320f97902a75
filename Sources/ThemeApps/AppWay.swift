public import ThemedText

extension App {
  /// A way in which the program follows without an app file's help: the group `[follows]` or `[follows NAME]`.
  public struct Way: Sendable, Hashable {
    /// Whom the program hears.
    public enum Means: String, Sendable, Hashable, CaseIterable {
      /// The desktop's settings portal.
      case portal
      /// The terminal that it runs in, which has to tell of light and dark.
      case terminal
      /// The daemon: a plugin subscribes, which calls itself as the app is called.
      case plugin
    }

    /// What stands behind `follows`; empty where nothing does.
    public var name: Text
    /// Whom it hears.
    public var means: Means
    /// What the user has to set for that, in words; nil where nothing has to be, or enabling does it.
    public var setting: Text?
    /// The versions of the program that can.
    public var versions: VersionRange

    /// A way.
    public init(name: Text = "", means: Means, setting: Text? = nil, versions: VersionRange = .all) {
      self.name = name
      self.means = means
      self.setting = setting
      self.versions = versions
    }
  }

  /// Whether there is something that can be enabled.
  public var canBeEnabled: Bool { !(writes.isEmpty && reloads.isEmpty && terminal == nil && setups.isEmpty) }

  /// Whether `themed-apply` has something to do for it; a plugin's line alone is no work for that.
  public var needsApplying: Bool { !(writes.isEmpty && reloads.isEmpty && terminal == nil) }

  /// The versions for which something is written or told, one range for each group that does; none where nothing is.
  public var servedVersions: [VersionRange] {
    let groups = writes.map(\.versions) + reloads.map(\.versions) + [terminal?.versions].compactMap(\.self)
    // Of a plugin, there is nothing but its line.
    let served = groups.isEmpty ? setups.map(\.versions) : groups
    return served.map { $0.isAll ? versions : $0 }
  }

  /// Whether it is for this version: nil is one that nobody knows.
  public func isFor(_ version: Version?) -> Bool { version == nil || versions.contains(version) }

  /// Whether an app file does something for this version.
  public func serves(_ version: Version?) -> Bool {
    canBeEnabled && isFor(version) && (servedVersions.isEmpty || servedVersions.contains { $0.contains(version) })
  }

  /// Whether something that is said here is for some versions of the program only.
  public var dependsOnVersion: Bool {
    !([versions] + servedVersions + setups.map(\.versions) + ways.map(\.versions) + hidings.map(\.versions)).allSatisfy(
      \.isAll)
  }
}
