internal import ThemeClientCore
internal import ThemeModel
internal import ThemedDBus
internal import ThemedSystem

/// Follows the daemon at another socket like any client: it reconnects when that daemon is back, and does not poll.
final class UpstreamClient {
  private var source: ThemeSource?
  private unowned let upstream: Upstream
  private var watch: Source?
  private var wasConnected = false

  /// Follows the daemon at `path`, unless it is this daemon itself.
  init(_ path: String, for upstream: Upstream) throws {
    self.upstream = upstream
    let source = try ThemeSource(details: true, socket: path)
    let descriptor = source.descriptor
    self.source = consume source
    watch = try MainLoop.watch(descriptor, for: .readable) { [unowned self] _ in process() }
  }

  // Remove it from the loop before its descriptor is closed.
  deinit { watch?.cancel() }

  private func process() {
    do throws(ThemeClientError) {
      let state = try source?.process()
      let isConnected = source?.isConnected == true
      if isConnected != wasConnected {
        wasConnected.toggle()
        upstream.happened(wasConnected ? .began : .ended("it closed the connection"))
      }
      if let instance = state?.inner.instance, upstream.isOwn(instance) {
        // Whichever path led here: a daemon that follows itself would keep its state for ever.
        watch = nil
        source = nil
        return upstream.happened(.ended("it is this themed itself; --upstream needs the socket of another themed"))
      }
      if let state { upstream.happened(.news(.init(reading: Reading(upstream: state.inner)))) }
    } catch {
      watch = nil
      upstream.happened(.ended("\(error)"))
    }
  }
}
