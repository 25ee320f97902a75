import Testing
import ThemedDBus
import ThemedSystem

@testable import ThemeDaemon

/// What the portal is asked, by the daemon and by a check alike.
@Suite struct SettingsPortalTests {
  private typealias ReadMethod = SettingsPortal.ReadMethod

  @Test func `the deprecated method is called where the newer one is not known, and nothing after it`() {
    let unknown = Failure(name: "org.freedesktop.DBus.Error.UnknownMethod", message: "")
    #expect(ReadMethod.readOne.next(after: unknown) == .read)
    #expect(ReadMethod.read.next(after: unknown) == nil)
    for name in ["org.freedesktop.portal.Error.NotFound", "org.freedesktop.DBus.Error.NoReply"] as [Text] {
      #expect(ReadMethod.readOne.next(after: Failure(name: name, message: "")) == nil, "\(name)")
    }
  }

  @Test func `a version is a number within a variant, and anything else tells none`() {
    #expect(SettingsPortal.version(.variant(.uint32(2))) == 2)
    for answer in [nil, .uint32(2), .variant(.int32(2)), .variant(.variant(.uint32(2)))] as [Value?] {
      #expect(SettingsPortal.version(answer) == nil)
    }
  }
}
