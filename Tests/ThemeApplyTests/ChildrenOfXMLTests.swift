import Testing
import ThemedText

@testable import ThemeApply

@Suite struct IntrospectionTests {
  @Test func `the children of an object are those that its introspection names`() {
    let xml: Text = """
      <!DOCTYPE node><node><interface name="x.y"><method name="z"/></interface>
      <node name="1"/><node name="2"></node><node name="a/b"/><node/></node>
      """
    #expect(BusCalls.children(in: xml) == ["1", "2"])
  }
}
