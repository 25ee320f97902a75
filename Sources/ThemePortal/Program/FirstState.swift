internal import ThemeClientCore
internal import ThemedDBus
internal import ThemedSystem

/// Waits for the daemon's first state after it was away, even if that equals the last one: followers hear only of
/// changes, and a connection alone does not prove that the daemon works.
final class FirstState {
  private let onState: (ThemeState) -> Void
  private var source: ThemeSource?
  private var watching: Source?
  private var retry: Source?
  private var isTold = false

  /// Passes on a single state, as soon as there is one.
  init(_ onState: @escaping (ThemeState) -> Void) {
    self.onState = onState
    begin()
  }

  // Remove it from the loop before its descriptor is closed.
  deinit { watching?.cancel() }

  /// Tries until it succeeds, because nothing else would report that the daemon is back.
  private func begin() {
    do {
      let source = try ThemeSource()
      watching = try MainLoop.watch(source.descriptor, for: .readable) { [unowned self] _ in process() }
      self.source = consume source
    } catch {
      if !isTold { log("cannot check yet whether themed is back, will retry: \(error)") }
      isTold = true
      retry = MainLoop.timer(afterMilliseconds: Limits.descriptorRetry) { [unowned self] in begin() }
    }
  }

  private func process() {
    guard let state = try? source?.process() else { return }
    watching = nil
    onState(state)
  }
}
