extension InterfaceText {
  /// What of a later text breaks those who were written for this one, each break as a sentence; none where it has only
  /// grown as it may.
  ///
  /// It may grow by types, methods and errors, by fields that are nullable, and by words of an enumeration that is only
  /// ever sent to the service. An error's fields stay as they are.
  func breaks(in later: InterfaceText) -> [String] {
    var comparison = Comparison(old: self)
    if later.name != name { comparison.breaks.append("the interface '\(name)' is called '\(later.name)'") }
    for (type, shape) in types.sorted(by: { $0.key < $1.key }) {
      guard let now = later.types[type] else { comparison.gone("type", type); continue }
      comparison.compare(shape, now, "type \(type)", isHeard: heardTypes.contains(type))
    }
    for (method, shape) in methods.sorted(by: { $0.key < $1.key }) {
      guard let now = later.methods[method] else { comparison.gone("method", method); continue }
      comparison.compare(shape.input, now.input, "method \(method), into it", isHeard: false)
      comparison.compare(shape.output, now.output, "method \(method), out of it", isHeard: true)
    }
    for (error, fields) in errors.sorted(by: { $0.key < $1.key }) {
      guard let now = later.errors[error] else { comparison.gone("error", error); continue }
      comparison.compare(fields, now, "error \(error)", isHeard: true)
      for field in now where !fields.contains(where: { $0.name == field.name }) && field.shape.isNullable {
        comparison.breaks.append("error \(error) has a new field '\(field.name)'")
      }
    }
    return comparison.breaks
  }

  /// The types whose values clients hear, in replies or errors.
  private var heardTypes: Set<String> {
    var heard: Set<String> = []
    var rest = methods.values.flatMap(\.output).map(\.shape) + errors.values.joined().map(\.shape)
    while let shape = rest.popLast() {
      switch shape {
      case .plain, .enumeration: break
      case .array(let shape), .map(let shape), .nullable(let shape): rest.append(shape)
      case .structure(let fields): rest += fields.map(\.shape)
      case .named(let name): if heard.insert(name).inserted, let shape = types[name] { rest.append(shape) }
      }
    }
    return heard
  }
}

private struct Comparison {
  let old: InterfaceText
  var breaks: [String] = []

  mutating func gone(_ kind: String, _ name: String) { breaks.append("\(kind) \(name) is gone") }

  /// `isHeard` says whether clients are told such values.
  mutating func compare(_ old: [InterfaceText.Field], _ new: [InterfaceText.Field], _ place: String, isHeard: Bool) {
    for field in old {
      guard let now = new.first(where: { $0.name == field.name }) else {
        breaks.append("\(place): the field '\(field.name)' is gone")
        continue
      }
      compare(field.shape, now.shape, "\(place): the field '\(field.name)'", isHeard: isHeard)
    }
    for field in new where !old.contains(where: { $0.name == field.name }) && !field.shape.isNullable {
      breaks.append("\(place): the new field '\(field.name)' is not nullable")
    }
  }

  mutating func compare(_ old: InterfaceText.Shape, _ new: InterfaceText.Shape, _ place: String, isHeard: Bool) {
    switch (old, new) {
    case (.nullable(let old), .nullable(let new)), (.array(let old), .array(let new)), (.map(let old), .map(let new)):
      compare(old, new, place, isHeard: isHeard)
    case (.structure(let old), .structure(let new)): compare(old, new, place, isHeard: isHeard)
    case (.enumeration(let old), .enumeration(let new)):
      for word in old where !new.contains(word) { breaks.append("\(place): the word '\(word)' is gone") }
      guard isHeard else { return }
      for word in new where !old.contains(word) {
        breaks.append("\(place): the word '\(word)' is new to those who hear it")
      }
    case (.nullable(let old), let new) where old == new: breaks.append("\(place) is not nullable any more")
    case (let old, .nullable(let new)) where old == new: breaks.append("\(place) has become nullable")
    default: if old != new { breaks.append("\(place) is of another type") }
    }
  }
}
