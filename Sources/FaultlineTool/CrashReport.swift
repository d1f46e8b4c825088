import Campaigns
import Execution
import Foundation
import Prose
import Reporting

/// What the line begins with, where a signal handler can read it: the address of a C string. 0
/// means that nothing runs. A word is written and read whole.
nonisolated(unsafe) private var currentStart: UInt = 0
/// Whether the handler is installed.
private let isInstalled = Locked(false)

/// What each thread is at. A trap's signal goes to the thread that trapped, whose handler asks for
/// its own; asking is no more than a look into the thread's table.
private let currentRun: pthread_key_t = {
  var key = pthread_key_t()
  let status = unsafe pthread_key_create(&key) { unsafe free($0) }
  precondition(status == 0, "no room for what a thread is at")
  return key
}()

/// The run that a thread is making.
@unsafe private struct Run {
  /// The text of its seed, as a C string.
  var seed: UnsafeMutablePointer<CChar>
  /// The address of what the line ends with.
  var end: UInt
}

/// A trap ends the process at once, and with it all that is known. So the line that does the same
/// once more, or makes the run once more that was being shrunk, is laid out before a run
/// begins, and a signal handler writes it.
///
/// The handler calls nothing but what POSIX allows there, `strlen`, `write` and `_exit`, and
/// `pthread_getspecific`, which does no more than read where the systems that we know are
/// concerned.
struct CrashReport: Sendable {
  private let start: UInt
  private let models: [Model]

  private struct Model: Sendable {
    var name: String
    var end: UInt
  }

  /// What ClusterFuzz takes for the state of a crash: it keeps no result without one, and takes two
  /// with the same for one defect. In the form of Chrome's failed checks, which its parser of
  /// stacks knows.
  static func state(of defect: String) -> String { "[faultline:engine] Check failed: \(defect)" }

  /// For what is not a campaign: the line repeats the command, whose words these are.
  init(of command: String, _ words: [String]) {
    let line = ([CommandLine.arguments[0], command] + words).map(HumanReport.quoted)
    start = CrashReport.address(
      "\n\(CrashReport.state(of: "a trap"))\nfaultline: a defect of Faultline's; please report it with what did it: "
        + line.joined(separator: " ") + "\n")
    models = []
  }

  /// `options` are those that a replay needs besides seed and model. The texts stay for as long as
  /// the process: a campaign has few models.
  init(_ models: [ModelSource], options: String) {
    let tool = HumanReport.quoted(CommandLine.arguments[0])
    start = CrashReport.address(
      "\nfaultline: a defect of Faultline's; the run that did it, or was being shrunk: \(tool) replay "
    )
    self.models = models.map { model in
      let end = " --model \(HumanReport.quoted(model.name))\(options)\n"
      return Model(name: model.name, end: CrashReport.address(end))
    }
  }

  /// What a trap, a failed precondition and abort() send.
  private static let signals = [SIGILL, SIGTRAP, SIGABRT]

  /// A seed has a few dozen characters for each time that its run was gone on from.
  private static let seedLimit = 4_096

  private static func address(_ text: String) -> UInt {
    unsafe UInt(bitPattern: strdup(text))
  }

  /// To be called before each run, by the thread that makes it.
  func willRun(_ model: ModelSource, _ seed: RunSeed) {
    let run = unsafe CrashReport.runOfThisThread()
    // The last byte stays 0.
    unsafe strncpy(run.pointee.seed, seed.text, CrashReport.seedLimit - 1)
    unsafe run.pointee.end = models.first { $0.name == model.name }?.end ?? 0
    begin()
  }

  /// To be called before the first run, if all are one command.
  func begin() {
    // A handler should not be the first to ask for it.
    _ = currentRun
    isInstalled.withLock { isInstalled in
      unsafe currentStart = start
      if isInstalled { return }
      isInstalled = true
      for number in CrashReport.signals { signal(number, handle) }
      CrashReport.unblockSignals()
    }
  }

  /// Made when a thread's first run begins; it goes when the thread does. The text lies behind the
  /// rest.
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

  /// The process that starts this one may have blocked signals; this one inherits that.
  private static func unblockSignals() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in CrashReport.signals { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// To be called after the last run.
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
