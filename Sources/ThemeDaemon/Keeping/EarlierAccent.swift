internal import ThemeModel
internal import ThemedSystem
internal import ThemedVarlink

extension JSON.Object {
  /// The object with the accent colour as `#rrggbb`; earlier versions saved it as three numbers from 0 to 1.
  var withAccentAsText: JSON.Object {
    guard case .object(let components)? = self["accentColor"] else { return self }
    var parts = Parameters(components)
    func component(_ name: Text) -> Double? { (try? parts.number(name)) ?? nil }
    guard let red = component("red"), let green = component("green"), let blue = component("blue"),
      let color = Color(red: red, green: green, blue: blue), (try? parts.finish()) != nil
    else { return self }
    var object = self
    object["accentColor"] = .word(color.hexadecimal)
    return object
  }
}
