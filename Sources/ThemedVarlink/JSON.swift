public import ThemedSystem

/// A JSON value (RFC 8259).
public enum JSON: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number that is written without fraction and exponent and fits into 64 bits; exact.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string.
  case string(Text)
  /// An array.
  case array([JSON])
  /// An object.
  case object(Object)

  /// A string from this program itself, such as a word of an interface.
  public static func word(_ own: String) -> JSON { .string(Text(own)) }

  /// An object: members with distinct names, in the order in which they were written.
  public struct Object: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// A name and its value.
    public struct Member: Sendable, Hashable {
      /// The name.
      public let name: Text
      /// The value.
      public var value: JSON
    }

    /// The members, in order.
    public private(set) var members: [Member]

    /// An object without members, with memory reserved for `count` of them.
    public init(reserving count: Int = 0) {
      members = []
      if count > 0 { members.reserveCapacity(count) }
    }

    /// An object with `members`; the caller guarantees that their names differ.
    init(members: [Member]) {
      self.members = members
    }

    /// An object with these members.
    ///
    /// Nil values are left out, and if a name appears twice, the last value counts.
    public init(dictionaryLiteral elements: (Text, JSON?)...) {
      members = []
      for (name, value) in elements { self[name] = value }
    }

    /// Adds a member; nil is left out.
    ///
    /// The caller guarantees that the name is new.
    public mutating func append(_ name: Text, _ value: JSON?) {
      if let value { members.append(Member(name: name, value: value)) }
    }

    /// Whether the object has no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The value of a member; setting nil removes it.
    public subscript(name: Text) -> JSON? {
      get { members.first { $0.name == name }?.value }
      set {
        let index = members.firstIndex { $0.name == name }
        switch (index, newValue) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(Member(name: name, value: value))
        case (nil, nil): break
        }
      }
    }

    /// Removes a member and returns its value; nil if there is no such member.
    mutating func take(_ name: Text) -> JSON? {
      guard !members.isEmpty, let index = members.firstIndex(where: { $0.name == name }) else { return nil }
      return members.remove(at: index).value
    }
  }
}
