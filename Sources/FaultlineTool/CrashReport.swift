import Faultline
import Foundation
import Synchronization

/// The seed of the run that is under way, and the text around it, where a signal handler can read
/// them: the addresses of C strings. No start means that nothing runs.
private let currentSeed = Atomic<UInt>(0)
private let currentStart = Atomic<UInt>(0)
private let currentEnd = Atomic<UInt>(0)

/// A trap ends the process at once, and with it all that is known. So the line that does the same once
/// more is laid out before a run begins, and a signal handler writes it.
///
/// The handler calls nothing but what POSIX allows there: `strlen`, `write`, `_exit`.
struct CrashReport {
  private let start: UInt
  /// Room for the text of a seed.
  private let seed: UInt
  private let models: [(name: String, end: UInt)]

  /// For what is not a campaign: the line repeats the command, whose words these are.
  init(of command: String, _ words: [String]) {
    let line = ([CommandLine.arguments[0], command] + words).map(HumanReport.quoted)
    start = CrashReport.address(
      "\nfaultline: a defect of Faultline's; please report it with what did it: "
        + line.joined(separator: " ") + "\n")
    seed = 0
    models = []
  }

  /// `options` are those that a replay needs besides seed and model. The texts stay for as long as
  /// the process: a campaign has few models.
  init(_ models: [ModelSource], options: String) {
    let tool = HumanReport.quoted(CommandLine.arguments[0])
    start = CrashReport.address(
      "\nfaultline: a defect of Faultline's; the run that did it: \(tool) replay ")
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: CrashReport.seedLimit)
    unsafe buffer.initialize(repeating: 0, count: CrashReport.seedLimit)
    seed = UInt(bitPattern: buffer)
    self.models = models.map { model in
      let end = " --model \(HumanReport.quoted(model.name))\(options)\n"
      return (model.name, CrashReport.address(end))
    }
  }

  /// What a trap, a failed precondition and abort() send.
  private static let signals = [SIGILL, SIGTRAP, SIGABRT]

  /// A seed has a few dozen characters for each time that its run was gone on from.
  private static let seedLimit = 4_096

  private static func address(_ text: String) -> UInt {
    unsafe UInt(bitPattern: strdup(text))
  }

  /// To be called before each run.
  func willRun(_ model: ModelSource, _ seed: RunSeed) {
    let name = model.name
    if let buffer = unsafe UnsafeMutablePointer<CChar>(bitPattern: self.seed) {
      // The last byte stays 0.
      unsafe strncpy(buffer, seed.text, CrashReport.seedLimit - 1)
    }
    currentSeed.store(self.seed, ordering: .relaxed)
    currentEnd.store(models.first { $0.name == name }?.end ?? 0, ordering: .relaxed)
    begin()
  }

  /// To be called before the first run, if all are one command.
  func begin() {
    if currentStart.exchange(start, ordering: .releasing) == 0 {
      // Who starts us may have blocked signals for itself, and with that for us.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      for number in CrashReport.signals {
        signal(number, handle)
        unsafe sigaddset(&signals, number)
      }
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
  }

  /// To be called after the last run.
  func end() {
    for number in CrashReport.signals { signal(number, SIG_DFL) }
    currentStart.store(0, ordering: .releasing)
  }
}

private func handle(_ number: Int32) {
  let start = currentStart.load(ordering: .acquiring)
  if start != 0 {
    write(start)
    write(currentSeed.load(ordering: .relaxed))
    write(currentEnd.load(ordering: .relaxed))
  }
  _exit(3)
}

/// Writes the C string at an address to standard error.
private func write(_ address: UInt) {
  guard let text = unsafe UnsafePointer<CChar>(bitPattern: address) else { return }
  _ = unsafe Foundation.write(STDERR_FILENO, text, strlen(text))
}
