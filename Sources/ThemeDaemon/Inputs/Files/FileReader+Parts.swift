internal import MainLoop
internal import Unix

extension FileReader {
  /// A thread that reads, and what it is at.
  final class Worker {
    let thread: WorkThread
    /// What has the loop take what it has read.
    var source: Source?
    var job: (number: Int, subject: Subject, progress: Progress)?

    init(_ thread: WorkThread) { self.thread = thread }
  }

  /// Who waits for something to be read that begins from now on.
  struct Waiter {
    let number: Int
    let subject: Subject
    let firstJob: Int
    let completion: () -> Void
    let deadline: Source?
  }
}

/// What watches the directories of what is read: made when something is watched first, and waited for once the loop runs.
final class DirectoryWatch {
  /// Called with what has happened.
  var onEvents: (Set<FileWatch.Event>) -> Void = { _ in }
  /// Why there is none.
  private(set) var problem: SystemError?

  private var watch: FileWatch?
  private var source: Source?
  private var isAttached = false

  // Out of the loop before its descriptor is closed.
  deinit { source?.cancel() }

  /// The watch, which is made where there is none; nil where that fails.
  func begun() -> FileWatch? {
    guard watch == nil else { return watch }
    do throws(SystemError) {
      watch = try FileWatch()
      problem = nil
      wait()
    } catch {
      problem = error
    }
    return watch
  }

  /// From now on, what happens is told on the loop.
  func attach() {
    isAttached = true
    wait()
  }

  private func wait() {
    guard isAttached, let watch, source == nil else { return }
    do throws(SystemError) {
      source = try MainLoop.watch(watch.descriptor.raw, for: .readable) { [unowned self] _ in
        onEvents(self.watch?.events() ?? [])
      }
    } catch {
      (self.watch, problem) = (nil, error)
    }
  }
}
