internal import CThemedGtk
internal import Glibc

/// The domain of the translations.
package let textDomain = "themed-settings"

/// The translation of a text, with values instead of the words in braces.
package func tr(_ text: String, _ values: KeyValuePairs<String, String> = [:]) -> String {
  // Without a translation, the result is the text that was passed, which lives no longer than the closure.
  var translated = unsafe text.withCString { unsafe String(cString: g_dgettext(textDomain, $0)) }
  for (name, value) in values { translated = translated.replacing("{\(name)}", with: value) }
  return translated
}

/// The parts of a time on the local clock, in the zone that the system has now.
private func localParts(_ time: Int) -> tm? {
  tzset()
  var seconds = time_t(time)
  var parts = unsafe tm()
  return unsafe localtime_r(&seconds, &parts) == nil ? nil : parts
}

/// The offset of the local clock from UTC at a time, in seconds.
package func localOffset(at time: Int) -> Int { unsafe localParts(time)?.tm_gmtoff ?? 0 }

/// A time on the local clock, with the date if it is at least a day away.
func clockText(_ time: Int, now: Int) -> String {
  guard var parts = unsafe localParts(time) else { return "" }
  var text = [CChar](repeating: 0, count: 64)
  let count = unsafe strftime(&text, text.count, abs(time - now) < 86_400 ? "%H:%M" : "%Y-%m-%d %H:%M", &parts)
  return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// The next midnight of the local clock, at which tomorrow begins.
func tomorrow(after now: Int) -> Int {
  guard var parts = unsafe localParts(now) else { return 0 }
  unsafe (parts.tm_sec, parts.tm_min, parts.tm_hour, parts.tm_isdst) = (0, 0, 0, -1)
  unsafe parts.tm_mday += 1
  return unsafe mktime(&parts)
}
