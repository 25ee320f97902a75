public import ThemedSystem

/// The directory of the user's hooks, programs that themed-apply starts at each change.
public func hookDirectory(configuration: Text) -> Text { "\(configuration)/themed/hooks.d" }

/// Whether a file of this name can be a hook, and is not a leftover of an editor or package manager.
public func isHookName(_ name: Text) -> Bool {
  !name.hasPrefix(".") && !name.hasPrefix("#") && !name.hasSuffix("~")
    && ![".swp", ".bak", ".new", ".dpkg-old", ".dpkg-new", ".dpkg-dist", ".rpmsave", ".rpmnew"]
      .contains { name.hasSuffix($0) }
}
