import Campaigns
import Execution
import Foundation
import Prose
import Reporting

/// The beginning of the crash line, as the address of a C string that a signal handler can read.
/// The value 0 means that nothing runs. A word is always read and written as a whole.
nonisolated(unsafe) private var currentStart: UInt = 0
/// A Boolean value that indicates whether the signal handler is installed.
private let isInstalled = Locked(false)

/// The key for the current run of each thread. The signal of a trap goes to the thread that
/// trapped, whose handler looks up its own run. The lookup only reads the thread's table.
private let currentRun: pthread_key_t = {
  var key = pthread_key_t()
  let status = unsafe pthread_key_create(&key) { unsafe free($0) }
  precondition(status == 0, "no room for what a thread is at")
  return key
}()

/// The run that a thread is making.
@unsafe private struct Run {
  /// The text of the seed, as a C string.
  var seed: UnsafeMutablePointer<CChar>
  /// The address of the text with which the crash line ends.
  var end: UInt
}

/// Reports how to repeat a run in which Faultline traps. A trap ends the process at once, so the
/// line is prepared before a run begins, and a signal handler writes it. The line repeats the run,
/// or the run that was being shrunk.
///
/// The handler calls only functions that POSIX allows in a handler, `strlen`, `write` and `_exit`,
/// and also `pthread_getspecific`. On the known systems, that function only reads.
struct CrashReport: Sendable {
  private let start: UInt
  private let models: [Model]

  private struct Model: Sendable {
    var name: String
    var end: UInt
  }

  /// Returns the state of a crash for ClusterFuzz, which ignores results without a state. It treats
  /// results with equal states as one defect. The text has the form of Chrome's failed checks,
  /// which ClusterFuzz can parse.
  static func state(of defect: String) -> String { "[faultline:engine] Check failed: \(defect)" }

  /// Creates a report for a command that is not a campaign. The line repeats the command with its
  /// words.
  init(of command: String, _ words: [String]) {
    let line = ([CommandLine.arguments[0], command] + words).map(HumanReport.quoted)
    start = CrashReport.address(
      "\n\(CrashReport.state(of: "a trap"))\nfaultline: a defect of Faultline; please report it with this command: "
        + line.joined(separator: " ") + "\n")
    models = []
  }

  /// Creates a report for a campaign. The texts are never freed, because a campaign has few models.
  ///
  /// - Parameter options: The options that a replay needs in addition to seed and model.
  init(_ models: [ModelSource], options: String) {
    let tool = HumanReport.quoted(CommandLine.arguments[0])
    start = CrashReport.address(
      "\nfaultline: a defect of Faultline, in this run or while shrinking it: \(tool) replay "
    )
    self.models = models.map { model in
      let end = " --model \(HumanReport.quoted(model.name))\(options)\n"
      return Model(name: model.name, end: CrashReport.address(end))
    }
  }

  /// The signals that a trap, a failed precondition and `abort()` send.
  private static let signals = [SIGILL, SIGTRAP, SIGABRT]

  /// The maximum length of a seed's text. A seed has a few dozen characters for each time that its
  /// run was continued.
  private static let seedLimit = 4_096

  private static func address(_ text: String) -> UInt {
    unsafe UInt(bitPattern: strdup(text))
  }

  /// Records the run that this thread is about to make. Call this before each run.
  func willRun(_ model: ModelSource, _ seed: RunSeed) {
    let run = unsafe CrashReport.runOfThisThread()
    // The last byte stays 0.
    unsafe strncpy(run.pointee.seed, seed.text, CrashReport.seedLimit - 1)
    unsafe run.pointee.end = models.first { $0.name == model.name }?.end ?? 0
    begin()
  }

  /// Installs the signal handler. Call this before the first run, if all runs belong to one
  /// command.
  func begin() {
    // A handler should not be the first to create the key.
    _ = currentRun
    isInstalled.withLock { isInstalled in
      unsafe currentStart = start
      if isInstalled { return }
      isInstalled = true
      for number in CrashReport.signals { signal(number, handle) }
      CrashReport.unblockSignals()
    }
  }

  /// Returns the record of this thread's run, which exists from the thread's first run to its end.
  /// The text of the seed follows the record in memory.
  private static func runOfThisThread() -> UnsafeMutablePointer<Run> {
    if let known = unsafe pthread_getspecific(currentRun) {
      return unsafe known.assumingMemoryBound(to: Run.self)
    }
    guard let memory = unsafe calloc(1, MemoryLayout<Run>.stride + seedLimit) else {
      preconditionFailure("no memory for the text of a seed")
    }
    let run = unsafe memory.bindMemory(to: Run.self, capacity: 1)
    let text = unsafe (memory + MemoryLayout<Run>.stride)
      .bindMemory(to: CChar.self, capacity: seedLimit)
    unsafe run.initialize(to: Run(seed: text, end: 0))
    unsafe pthread_setspecific(currentRun, run)
    unblockSignals()
    return unsafe run
  }

  /// Unblocks the signals, because a process may inherit blocked signals from its parent.
  private static func unblockSignals() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in CrashReport.signals { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Removes the signal handler. Call this after the last run.
  func end() {
    if let known = unsafe pthread_getspecific(currentRun) {
      unsafe known.assumingMemoryBound(to: Run.self).pointee.seed[0] = 0
      unsafe known.assumingMemoryBound(to: Run.self).pointee.end = 0
    }
    isInstalled.withLock { isInstalled in
      for number in CrashReport.signals { signal(number, SIG_DFL) }
      unsafe currentStart = 0
      isInstalled = false
    }
  }
}

private func handle(_ number: Int32) {
  let start = unsafe currentStart
  if start != 0 {
    write(start)
    if let run = unsafe pthread_getspecific(currentRun)?.assumingMemoryBound(to: Run.self) {
      unsafe write(UInt(bitPattern: run.pointee.seed))
      unsafe write(run.pointee.end)
    }
  }
  _exit(3)
}

/// Writes the C string at an address to standard error.
private func write(_ address: UInt) {
  guard let text = unsafe UnsafePointer<CChar>(bitPattern: address) else { return }
  _ = unsafe Foundation.write(STDERR_FILENO, text, strlen(text))
}
