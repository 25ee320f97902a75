internal import Glibc
internal import Synchronization
internal import ThemedSystem

extension FileReader {
  /// The path that a job is accessing, to say why it does not finish.
  final class Progress: Sendable {
    private let path = Mutex<Text>("")

    /// Notes the path that is accessed next.
    func note(_ path: Text) { self.path.withLock { $0 = path } }

    /// That path.
    var current: Text { path.withLock(\.self) }
  }
}

extension FileReader.Subject {
  /// The name of the subject in a log line.
  var words: String {
    switch self {
    case .configuration: "the configuration"
    case .theme(let name): "the theme '\(name.shown())'"
    case .themeList: "the list of themes"
    case .zone: "the time zone"
    case .watches: "the file watches"
    }
  }
}

extension SystemError {
  /// Advice to an administrator if the system has no more watches.
  var adviceOnWatches: String {
    switch code {
    case ENOSPC: "; raise the limit fs.inotify.max_user_watches"
    case EMFILE: "; raise the limit fs.inotify.max_user_instances"
    default: ""
    }
  }
}
