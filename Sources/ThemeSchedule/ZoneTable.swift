public import ThemedText

/// The tables that come with the time zones: where the zones lie, and which are names for others.
public enum ZoneTable {
  /// Where a zone lies by `zone1970.tab`, or `zone.tab`, which is of the same form; nil where it does not stand there.
  public static func place(of zone: Text, inTable bytes: [UInt8]) -> Place? {
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      let fields = line.split(separator: UInt8(ascii: "\t"), maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count >= 3, fields[2].elementsEqual(zone.utf8) else { continue }
      return Place(iso6709: fields[1])
    }
    return nil
  }

  /// The zone that this one is another name for, by the links of `tzdata.zi` (`L target name`) or of `backward`
  /// (`Link target name`); nil where it is none.
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

  /// The name of the zone whose file lies at a path: what stands behind its `zoneinfo` directory; nil without one.
  public static func name(ofPath path: Text) -> Text? {
    let parts = path.split("/", omittingEmpty: true)
    guard let index = parts.lastIndex(of: "zoneinfo") else { return nil }
    return name(of: parts[(index + 1)...])
  }

  /// The name of the zone whose file this is in the directory of zones, which may hold each of them twice.
  public static func name(ofFile file: Text) -> Text? { name(of: file.split("/")[...]) }

  private static func name(of parts: ArraySlice<Text>) -> Text? {
    var name = parts
    if let first = name.first, first == "posix" || first == "right" { name = name.dropFirst() }
    return isName(name) ? Text(name.map(\.string).joined(separator: "/")) : nil
  }

  /// Whether `TZ` may mean the zone of this name, in the directory of zones and not outside of it.
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
