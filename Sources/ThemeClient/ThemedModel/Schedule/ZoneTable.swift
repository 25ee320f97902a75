public import ThemedSystem

/// The tables that come with the time zones: the places of the zones, and which names are aliases.
public enum ZoneTable {
  /// The place of a zone in `zone1970.tab`, or in `zone.tab`, which has the same form; nil if it is not listed.
  public static func place(of zone: Text, inTable bytes: [UInt8]) -> Place? {
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      let fields = line.split(separator: UInt8(ascii: "\t"), maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count >= 3, fields[2].elementsEqual(zone.utf8) else { continue }
      return Place(iso6709: fields[1])
    }
    return nil
  }

  /// The zone that this name is an alias for, by the links of `tzdata.zi` (`L target name`) or of `backward` (`Link
  /// target name`); nil if it is not an alias.
  public static func target(of zone: Text, inLinks bytes: [UInt8]) -> Text? {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard line.first == UInt8(ascii: "L") else { continue }
      let fields = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      guard fields.count >= 3, fields[0].elementsEqual("L".utf8) || fields[0].elementsEqual("Link".utf8),
        fields[2].elementsEqual(zone.utf8)
      else { continue }
      return Text(validating: fields[1])
    }
    return nil
  }

  /// The name of the zone whose file is at a path: the part after the `zoneinfo` directory; nil without that directory.
  public static func name(ofPath path: Text) -> Text? {
    let parts = path.split("/", omittingEmpty: true)
    guard let index = parts.lastIndex(of: "zoneinfo") else { return nil }
    return name(of: parts[(index + 1)...])
  }

  /// The name of the zone whose file is at this place in the directory of zones, which may contain each zone twice.
  public static func name(ofFile file: Text) -> Text? { name(of: file.split("/")[...]) }

  private static func name(of parts: ArraySlice<Text>) -> Text? {
    var name = parts
    if let first = name.first, first == "posix" || first == "right" { name = name.dropFirst() }
    return isName(name) ? Text(name.map(\.string).joined(separator: "/")) : nil
  }

  /// Whether `TZ` can mean a zone of this name: a file in the directory of zones and not outside of it.
  public static func isName(_ text: Text) -> Bool {
    isName(text.split("/")[...])
  }

  private static func isName(_ parts: ArraySlice<Text>) -> Bool {
    !parts.isEmpty && parts.count <= 4
      && parts.allSatisfy { part in
        let isPlain = part.utf8.allSatisfy { byte in
          (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || "+-_.".utf8.contains(byte)
        }
        return (1...64).contains(part.count) && part != "." && part != ".." && isPlain
      }
  }
}
