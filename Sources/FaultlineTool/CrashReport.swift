import Faultline
import Foundation
import Synchronization

/// The seed of the run that is under way, and the text around it, where a signal handler can read
/// them: atomic numbers, the texts as addresses of C strings. No start means that nothing runs.
private let currentSeed = Atomic<UInt64>(0)
private let currentStart = Atomic<UInt>(0)
private let currentEnd = Atomic<UInt>(0)

/// A trap ends the process at once, and with it all that a campaign knows. So the line that replays the
/// run is laid out before it begins, and a signal handler writes it.
///
/// The handler calls nothing but what POSIX allows there: `strlen`, `write`, `_exit`.
struct CrashReport {
  private let start: UInt
  private let models: [(name: String, end: UInt)]

  /// `options` are those that a replay needs besides seed and model. The texts stay for as long as
  /// the process: a campaign has few models.
  init(_ models: [ModelSource], options: String) {
    let tool = HumanReport.quoted(CommandLine.arguments[0])
    start = CrashReport.address(
      "\nfaultline: a defect of Faultline's; the run that did it: \(tool) replay 0x")
    self.models = models.map { model in
      let end = " --model \(HumanReport.quoted(model.name))\(options)\n"
      return (model.name, CrashReport.address(end))
    }
  }

  /// What a trap, a failed precondition and abort() send.
  private static let signals = [SIGILL, SIGTRAP, SIGABRT]

  private static func address(_ text: String) -> UInt {
    unsafe UInt(bitPattern: strdup(text))
  }

  /// To be called before each run.
  func willRun(_ model: ModelSource, _ seed: UInt64) {
    let name = model.name
    currentSeed.store(seed, ordering: .relaxed)
    currentEnd.store(models.first { $0.name == name }?.end ?? 0, ordering: .relaxed)
    if currentStart.exchange(start, ordering: .releasing) == 0 {
      for number in CrashReport.signals { signal(number, handle) }
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
    let seed = currentSeed.load(ordering: .relaxed)
    var shift = max(0, (63 - seed.leadingZeroBitCount) / 4 * 4)
    while shift >= 0 {
      let digit = UInt8(seed >> UInt64(shift) & 15)
      var character = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      _ = unsafe Foundation.write(STDERR_FILENO, &character, 1)
      shift -= 4
    }
    write(currentEnd.load(ordering: .relaxed))
  }
  _exit(3)
}

/// Writes the C string at an address to standard error.
private func write(_ address: UInt) {
  guard let text = unsafe UnsafePointer<CChar>(bitPattern: address) else { return }
  _ = unsafe Foundation.write(STDERR_FILENO, text, strlen(text))
}
