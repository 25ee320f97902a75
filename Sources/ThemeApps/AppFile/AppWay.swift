public import ThemedSystem

extension App {
  /// A way in which the program follows without themed-apply: the group `[follows]` or `[follows NAME]`.
  public struct Way: Sendable, Hashable {
    /// How the program learns of a change.
    public enum Means: String, Sendable, Hashable, CaseIterable {
      /// The desktop's settings portal.
      case portal
      /// The terminal in which it runs, which has to report light and dark.
      case terminal
      /// The daemon, to which a plugin subscribes under the app's name.
      case plugin
    }

    /// The name after `follows`; empty if there is none.
    public var name: Text
    /// How the program learns of a change.
    public var means: Means
    /// The setting that the user has to make; nil if there is none, or enabling the app makes it.
    public var setting: Text?
    /// The versions of the program that follow in this way.
    public var versions: VersionRange

    /// A way.
    public init(name: Text = "", means: Means, setting: Text? = nil, versions: VersionRange = .all) {
      self.name = name
      self.means = means
      self.setting = setting
      self.versions = versions
    }
  }

  /// Whether the app can be enabled.
  public var canBeEnabled: Bool { !(writes.isEmpty && reloads.isEmpty && terminal == nil && setups.isEmpty) }

  /// Whether `themed-apply` has something to do for the app; a line for a plugin alone is not.
  public var needsApplying: Bool { !(writes.isEmpty && reloads.isEmpty && terminal == nil) }

  /// The versions that the app's groups are for, one range for each group.
  public var servedVersions: [VersionRange] {
    let groups = writes.map(\.versions) + reloads.map(\.versions) + [terminal?.versions].compactMap(\.self)
    // Of a plugin, there is nothing but its line.
    let served = groups.isEmpty ? setups.map(\.versions) : groups
    return served.map { $0.isAll ? versions : $0 }
  }

  /// Whether the app is for this version; nil is an unknown version.
  public func isFor(_ version: Version?) -> Bool { version == nil || versions.contains(version) }

  /// Whether the app does something for this version.
  public func serves(_ version: Version?) -> Bool {
    canBeEnabled && isFor(version) && (servedVersions.isEmpty || servedVersions.contains { $0.contains(version) })
  }

  /// Whether a part of the app is only for some versions of the program.
  public var dependsOnVersion: Bool {
    !([versions] + servedVersions + setups.map(\.versions) + ways.map(\.versions) + hidings.map(\.versions)).allSatisfy(
      \.isAll)
  }
}
