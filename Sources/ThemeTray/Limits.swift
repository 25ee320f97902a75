package import ThemedDBus

/// Every limit of the tray item, on one page.
package enum Limits {
  /// The longest message of the bus that is read, in bytes, and how many bytes of replies may wait.
  package static let bus = Connection.Limits(message: 64 * 1024, replies: 256 * 1024)
  /// How much of a call's arguments is read: panels ask for many entries of the menu at once.
  package static let arguments = Extent(values: 1024, text: 64)
  /// How many themes the menu has.
  static let themes = 100
  /// The longest name of a theme in the menu, in bytes.
  static let title = 80
  /// The longest sentence in the menu, in bytes.
  static let sentence = 160
  /// How long the item shows the last state of a daemon that is away, in milliseconds; a restart takes less.
  package static let lastGood = 10_000
  /// How far apart two reports of the same opening of the menu can be, in seconds.
  static let opening: Int64 = 2
  /// How many clicks wait for a daemon that is slow to answer; later ones are ignored.
  package static let jobs = 8
  /// How long a panel may take to accept the item, in milliseconds.
  package static let register = 25_000
  /// How long after work the program returns freed memory to the system, in milliseconds.
  package static let memoryTrim = 2_000
  /// How long the last replies may take to be sent at the exit, in milliseconds.
  package static let lastWord = 1_000
}
