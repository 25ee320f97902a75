internal import ThemeClientCore
internal import ThemedLoop
internal import ThemedUnix

/// The daemon's first word after it was away, also where that is what it said before: who follows it is told of changes
/// alone, and a connection is no sign of life.
final class FirstState {
  private var source: ThemeSource
  private var watching: Source?

  /// Hands over one state, when there is one, and nothing more.
  init(_ onState: @escaping (ThemeState) -> Void) throws(ThemeClientError) {
    source = try ThemeSource()
    do throws(SystemError) {
      watching = try MainLoop.watch(source.descriptor, for: .readable) { [unowned self] _ in
        guard let state = try? source.process() else { return }
        watching = nil
        onState(state)
      }
    } catch {
      log("whether themed is back cannot be seen: \(error)")
    }
  }

  deinit { watching?.cancel() }
}
