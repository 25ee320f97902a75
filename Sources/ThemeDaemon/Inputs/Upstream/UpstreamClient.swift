internal import ThemeResolution
internal import ThemeClient
internal import ThemedLoop
internal import ThemedUnix

/// Follows the daemon at another socket as any client does: it connects anew when that one is back, and asks in no
/// rhythm.
final class UpstreamClient {
  private var source: ThemeSource
  private var watch: Source?
  private var wasConnected = false
  private let tell: (Upstream.Happening) -> Void

  /// Will follow the daemon at `path`.
  init(_ path: String, tell: @escaping (Upstream.Happening) -> Void) throws {
    self.tell = tell
    source = try ThemeSource(details: true, socket: path)
    watch = try MainLoop.watch(source.descriptor, for: .readable) { [unowned self] _ in process() }
  }

  // It is out of the loop before its descriptor is closed.
  deinit { watch?.cancel() }

  private func process() {
    do throws(ThemeClientError) {
      let state = try source.process()
      if source.isConnected != wasConnected {
        wasConnected.toggle()
        tell(wasConnected ? .began : .ended("its socket is closed"))
      }
      if let state { tell(.news(.init(reading: Reading(upstream: state.inner)))) }
    } catch {
      watch = nil
      tell(.ended("\(error)"))
    }
  }
}
