internal import CThemedGtk
internal import SettingsModel

/// Runs `themectl`, without a shell and without waiting for it.
enum Themectl {
  struct Result {
    let status: Int
    let output: String
    let errors: String

    var isDone: Bool { status == 0 }

    /// The words of a failure.
    var message: String {
      let text = SettingsModel.message(ofErrors: errors)
      return text.isEmpty ? tr("themectl failed without a message") : text
    }
  }

  /// The path of `themectl`: beside this program, or else in PATH; nil if it is in neither.
  static let path: String? = {
    let own = unsafe g_file_read_link("/proc/self/exe", nil)
    defer { unsafe g_free(own) }
    let directory = unsafe g_path_get_dirname(own)
    defer { unsafe g_free(directory) }
    let beside = unsafe directory.map { unsafe String(cString: $0) + "/themectl" } ?? ""
    if unsafe g_file_test(beside, G_FILE_TEST_IS_EXECUTABLE) != 0 { return beside }
    guard let found = unsafe g_find_program_in_path("themectl") else { return nil }
    defer { unsafe g_free(found) }
    return unsafe String(cString: found)
  }()

  /// Runs `themectl` with these arguments, and calls `done` in the loop when it has exited.
  static func run(_ arguments: [String], _ done: @escaping (Result) -> Void) {
    guard let path else {
      return done(Result(status: 127, output: "", errors: tr("themectl is not installed; install the package themed")))
    }
    var problem: UnsafeMutablePointer<GError>?
    let flags = GSubprocessFlags(G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue | G_SUBPROCESS_FLAGS_STDERR_PIPE.rawValue)
    guard let process = unsafe withCStrings([path] + arguments, { unsafe g_subprocess_newv($0, flags, &problem) })
    else {
      let text = unsafe problem?.pointee.message.map { unsafe String(cString: $0) } ?? ""
      unsafe g_clear_error(&problem)
      return done(Result(status: 127, output: "", errors: text))
    }
    let call = unsafe Unmanaged.passRetained(Call(done)).toOpaque()
    // As bytes, because a path in a message need not be UTF-8.
    unsafe g_subprocess_communicate_async(
      process, nil, nil, { _, answer, data in unsafe Call.finish(answer, data) }, call)
    unsafe g_object_unref(UnsafeMutableRawPointer(process))
  }

  private final class Call {
    private let done: (Result) -> Void

    init(_ done: @escaping (Result) -> Void) { self.done = done }

    static func finish(_ answer: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
      guard let data = unsafe data, let answer = unsafe answer else { return }
      let call = unsafe Unmanaged<Call>.fromOpaque(data).takeRetainedValue()
      let source = unsafe g_async_result_get_source_object(answer)
      defer { unsafe g_object_unref(source) }
      guard let process = unsafe source.map({ OpaquePointer($0) }) else { return }
      var output: OpaquePointer?
      var errors: OpaquePointer?
      let isRead = unsafe g_subprocess_communicate_finish(process, answer, &output, &errors, nil) != 0
      defer {
        unsafe g_bytes_unref(output)
        unsafe g_bytes_unref(errors)
      }
      let hasExited = unsafe isRead && g_subprocess_get_if_exited(process) != 0
      call.done(
        Result(
          status: hasExited ? Int(unsafe g_subprocess_get_exit_status(process)) : 127,
          output: unsafe text(output), errors: unsafe text(errors)))
    }

    private static func text(_ bytes: OpaquePointer?) -> String {
      var count: gsize = 0
      guard let bytes = unsafe bytes, let start = unsafe g_bytes_get_data(bytes, &count) else { return "" }
      return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }
  }
}
