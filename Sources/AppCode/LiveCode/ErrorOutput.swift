import Glibc
import Synchronization

/// Captures the standard error of the process during runs of code. A memory file takes its place,
/// so that a report can quote the message with which Swift's runtime ends a program.
///
/// All other text goes to the real standard error as soon as no code runs.
enum ErrorOutput {
  private struct State {
    /// The number of captures in progress.
    var count = 0
    /// Messages with which the runtime ended code, not yet quoted by a report.
    var fatalErrors: [String] = []
  }

  /// The memory file, and the real standard error.
  private struct Capture {
    let file: Int32
    let original: Int32
    /// The number of bytes already read from the file.
    var readCount = 0
  }

  private static let state = Mutex(State())
  /// The current capture, or nil if nothing is captured. Changes only while `state` is locked. The
  /// end of the process reads the capture without the lock.
  private nonisolated(unsafe) static var capture: Capture?

  // Glibc's module does not declare the function.
  private static let makeMemoryFile = unsafe unsafeBitCast(
    dlsym(nil, "memfd_create"),
    to: (@convention(c) (UnsafePointer<CChar>, UInt32) -> Int32)?.self)

  private static let releasesAtExit: Void = { _ = atexit { ErrorOutput.release() } }()

  /// Calls `body` with standard error captured. Standard error is unbuffered, so nothing needs to
  /// be flushed. A host without memory files captures nothing.
  static func captured<Result>(_ body: () -> Result) -> Result {
    state.withLock { begin(&$0) }
    defer { state.withLock { end(&$0) } }
    return body()
  }

  private static func begin(_ state: inout State) {
    state.count += 1
    guard state.count == 1 else { return }
    _ = releasesAtExit
    let closesOnExec: UInt32 = 1
    guard let file = unsafe makeMemoryFile?("faultline", closesOnExec), file >= 0 else { return }
    unsafe capture = Capture(file: file, original: fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3))
    dup2(file, STDERR_FILENO)
  }

  private static func end(_ state: inout State) {
    state.count -= 1
    guard state.count == 0, let ended = unsafe capture else { return }
    dup2(ended.original, STDERR_FILENO)
    pass(&state)
    write(state.fatalErrors.map { $0 + "\n" }.joined(), to: STDERR_FILENO)
    state.fatalErrors = []
    unsafe capture = nil
    close(ended.original)
    close(ended.file)
  }

  /// Restores standard error at the end of the process, and writes the unread text to it. Allocates
  /// nothing and takes no lock, so that signal handlers can call this function.
  static func release() {
    guard let capture = unsafe capture else { return }
    dup2(capture.original, STDERR_FILENO)
    unsafe withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 1) { buffer in
      var position = capture.readCount
      while true {
        let count = unsafe pread(
          capture.file, buffer.baseAddress, buffer.count, off_t(position))
        guard count > 0 else { return }
        _ = unsafe Glibc.write(STDERR_FILENO, buffer.baseAddress, count)
        position += count
      }
    }
  }

  /// Writes the captured text to the real standard error, without the messages that ended code.
  static func flush() { state.withLock { pass(&$0) } }

  /// Removes and returns the last message with which the runtime ended code, or nil without one.
  static func takeFatalError() -> String? {
    state.withLock { state in
      pass(&state)
      return state.fatalErrors.popLast()
    }
  }

  private static func pass(_ state: inout State) {
    guard let original = unsafe capture?.original else { return }
    let text = newText()
    if text.isEmpty { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    state.fatalErrors += lines.filter(isFatalError).map(String.init)
    write(lines.filter { !isFatalError($0) }.joined(separator: "\n"), to: original)
  }

  /// Returns whether a line begins like `App/Store.swift:12: Fatal error:`, with or without the
  /// place.
  private static func isFatalError(_ line: Substring) -> Bool {
    line.prefixMatch(of: /([^ ]+\.swift:[0-9]+: )?Fatal error:/) != nil
  }

  /// Writes to the real standard error.
  static func write(_ text: String) {
    state.withLock { _ in unsafe write(text, to: capture?.original ?? STDERR_FILENO) }
  }

  /// Returns the text written since the last call. The file is not emptied, because another thread
  /// may be writing to it.
  private static func newText() -> String {
    guard let (file, start) = unsafe capture.map({ ($0.file, $0.readCount) }) else { return "" }
    var status = stat()
    unsafe fstat(file, &status)
    let size = Int(status.st_size) - start
    guard size > 0 else { return "" }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = unsafe max(0, pread(file, buffer.baseAddress, size, off_t(start)))
    }
    unsafe capture?.readCount += bytes.count
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func write(_ text: String, to file: Int32) {
    guard !text.isEmpty else { return }
    let bytes = Array(text.utf8)
    _ = unsafe Glibc.write(file, bytes, bytes.count)
  }
}
