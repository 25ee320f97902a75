public import ThemedText

/// Where a user's hooks are: programs that are started at each change.
public func hookDirectory(configuration: Text) -> Text { "\(configuration)/themed/hooks.d" }

/// Whether a file of this name is a hook: not what editors and package managers leave.
public func isHookName(_ name: Text) -> Bool {
  !name.hasPrefix(".") && !name.hasPrefix("#") && !name.hasSuffix("~")
    && ![".swp", ".bak", ".new", ".dpkg-old", ".dpkg-new", ".dpkg-dist", ".rpmsave", ".rpmnew"]
      .contains { name.hasSuffix($0) }
}
