import Campaigns
import Failures
import Foundation
import Prose
import Reporting

/// The clock, the status line and the handling of Ctrl-C in a campaign. Reports use none of them,
/// except for the times in JUnit reports.
final class Progress {
  private let start = ContinuousClock.now
  /// The seconds that runs may take. The rest of the time is for examining failures.
  private let limit: Double?
  /// The seconds that the whole campaign may take.
  private let end: Double?
  private let runs: Int
  /// The runs and steps that a resumed campaign made before.
  private let earlier: (runs: Int, steps: Int)
  private var nextUpdate = 0.5
  private var lastRun = 0.0
  /// The runs and steps of earlier campaigns in the same command.
  private var (doneRuns, doneSteps) = (0, 0)
  /// The runs and steps of the current campaign.
  private var (newRuns, newSteps) = (0, 0)
  private var (stateCount, kindCount, signatureCount) = (0, 0, 0)
  private var (lastState, lastKind) = (0.0, 0.0)
  private var nextCheckpoint = Progress.checkpointInterval
  private(set) var samples = Samples()

  /// A Boolean value that indicates whether to show a status line. This requires a terminal that
  /// can return to the beginning of a line.
  private static let hasStatusLine =
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  /// The seconds between two checkpoints, which limit the loss after a power cut.
  private static let checkpointInterval = 20.0

  /// The share of the campaign's time that runs may take.
  private static let shareOfRuns = 0.75

  /// - Parameters:
  ///   - limit: The seconds that the whole campaign may take.
  ///   - runs: The number of runs of all campaigns of the command.
  ///   - start: The result of earlier runs, if the campaign is resumed.
  init(limit: Double?, runs: Int, after start: ShardResult? = nil) {
    self.limit = limit.map { $0 * Progress.shareOfRuns }
    end = limit
    self.runs = runs
    earlier = (start?.runs ?? 0, start?.steps ?? 0)
    // Block the signals and check for them between runs. Ctrl-C then ends a campaign as `--time`
    // does.
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGINT)
    unsafe sigaddset(&set, SIGTERM)
    unsafe sigprocmask(SIG_BLOCK, &set, nil)
  }

  /// The duration of the runs, without the shrinking of failures.
  var secondsOfRuns: Double { lastRun }

  /// The start and the duration of the command, and the duration of the runs.
  var duration: MachineReport.Duration {
    let seconds = elapsed
    return MachineReport.Duration(
      start: Date(timeIntervalSinceNow: -seconds), seconds: seconds, ofRuns: lastRun)
  }

  private var elapsed: Double { Progress.seconds(since: start) }

  static func seconds(since start: ContinuousClock.Instant) -> Double {
    let duration = (ContinuousClock.now - start).components
    return Double(duration.seconds) + Double(duration.attoseconds) * 1e-18
  }

  private static let origin = ContinuousClock.now

  /// Returns the seconds since a fixed moment, for the cases of a test report.
  static let clock: @Sendable () -> Double = { seconds(since: origin) }

  /// Updates the status line, and returns whether to stop the runs. Call this before each run.
  func shouldStop(_ share: borrowing ShardResult) -> Bool {
    note(share)
    if Progress.hasStatusLine, lastRun >= nextUpdate {
      nextUpdate = lastRun + 0.25
      Progress.show([status(isShort: false), status(isShort: true)])
    }
    if let limit, lastRun >= limit { return true }
    return Progress.isInterrupted
  }

  /// Notes the result so far. Call this after the last run, too.
  ///
  /// - Parameter isLast: A Boolean value that indicates whether the result is complete.
  func note(_ share: borrowing ShardResult, isLast: Bool = false) {
    lastRun = elapsed
    // With several threads, the result changes only once per round.
    let isNew = share.runs != newRuns || samples.all.isEmpty
    (newRuns, newSteps) = (share.runs, share.steps)
    if share.stateCount != stateCount {
      (stateCount, lastState) = (share.stateCount, lastRun)
    }
    if share.signatureCount != signatureCount {
      signatureCount = share.signatureCount
      let count = share.kindCount
      if count != kindCount { (kindCount, lastKind) = (count, lastRun) }
    }
    guard isNew || isLast else { return }
    samples.note(
      Samples.Sample(
        seconds: lastRun, runs: doneRuns + newRuns, steps: doneSteps + newSteps,
        states: stateCount, kinds: kindCount), isLast: isLast)
  }

  /// Adds the counts of the current campaign to those of earlier campaigns. Call this between the
  /// campaigns of one command.
  func endCampaign() {
    (doneRuns, doneSteps) = (doneRuns + newRuns, doneSteps + newSteps)
    (newRuns, newSteps, stateCount, kindCount, signatureCount) = (0, 0, 0, 0, 0)
  }

  /// A Boolean value that indicates whether to write a checkpoint now. Reading it schedules the
  /// next checkpoint.
  var isCheckpointDue: Bool {
    if lastRun < nextCheckpoint { return false }
    nextCheckpoint = lastRun + Progress.checkpointInterval
    return true
  }

  /// Returns the parts of the status line, such as "1,200 of 5,000 programs", "700 programs/s" and
  /// "3 kinds of failure (newest 2 s ago)".
  ///
  /// The short form is "1,200/5,000 programs, 40k steps/s, 3 kinds (newest 2 s ago), 4 s left,
  /// 7,100 states".
  private func status(isShort: Bool) -> [String] {
    let allRuns = doneRuns + newRuns
    let ownRuns = allRuns - earlier.runs
    let isEndless = runs > Progress.endless / 100
    let all = isEndless ? "" : (isShort ? "/" : " of ") + grouped(runs)
    var parts = ["\(grouped(allRuns))\(all) programs"]
    if isShort {
      parts.append("\(grouped(stepsPerSecond / 1_000))k steps/s")
    } else {
      parts.append("\(grouped(Int(Double(ownRuns) / lastRun))) programs/s")
      parts.append("\(grouped(stepsPerSecond)) steps/s")
    }
    func since(_ moment: Double) -> String { "(newest \(span(lastRun - moment)) ago)" }
    let kinds = "\(kindCount) kind\(kindCount == 1 ? "" : "s")\(isShort ? "" : " of failure")"
    parts.append(kindCount == 0 ? "no failure" : "\(kinds) \(since(lastKind))")
    let left = limit.map { $0 - lastRun } ?? .infinity
    let estimate =
      ownRuns == 0 || isEndless
      ? .infinity : lastRun / Double(ownRuns) * Double(runs - allRuns)
    if min(left, estimate) < .infinity { parts.append("\(span(min(left, estimate))) left") }
    return parts + ["\(grouped(stateCount)) states\(isShort ? "" : " \(since(lastState))")"]
  }

  /// The number of steps per second in the runs of this process.
  var stepsPerSecond: Int {
    lastRun > 0 ? Int(Double(doneSteps + newSteps - earlier.steps) / lastRun) : 0
  }

  /// A number of runs that stands for as many programs as time allows.
  static let endless = 1_000_000_000

  private func span(_ seconds: Double) -> String {
    let whole = max(0, Int(seconds))
    if whole < 60 { return "\(whole) s" }
    if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3_600) h \(whole / 60 % 60) min"
  }

  /// Shows the first of `texts` that fits on a line, or else as many parts of the last one as fit.
  /// A wrapped line could not be removed.
  private static func show(_ texts: [[String]]) {
    var size = winsize()
    let columns = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    let width = (columns > 0 ? columns : 80) - 1
    func fits(_ parts: [String]) -> Bool { parts.joined(separator: ", ").count <= width }
    var parts = texts.first(where: fits) ?? texts.last ?? []
    while parts.count > 1, !fits(parts) { parts.removeLast() }
    let line = String(parts.joined(separator: ", ").prefix(width))
    FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
  }

  /// Removes the status line.
  func clear() { if Progress.hasStatusLine { Progress.show([]) } }

  /// Makes the campaign show each failure when it is shrunk and when it has been described.
  static func follow(_ campaign: inout FuzzCampaign) {
    campaign.willShrink = { showShrinking($0, of: $1, $2) }
    campaign.didDescribe = { show($0) }
    campaign.clock = clock
  }

  /// Shows a status line such as `shrinking 3 of 10: deadlock by the stack`.
  static func showShrinking(_ number: Int, of count: Int, _ kind: FailureKind) {
    if hasStatusLine { show([["shrinking \(number) of \(count): \(kind.name)"]]) }
  }

  /// Writes `deadlock by the stack (74 programs): the observer of didSave by work` above the
  /// status line.
  static func show(_ failure: FailureReport) {
    guard hasStatusLine else { return }
    let programs = failure.count == 1 ? "1 program" : "\(grouped(failure.count)) programs"
    let cause = failure.causeText.map { ": \($0)" } ?? ""
    FileHandle.standardError.write(
      Data("\r\u{1B}[K\(failure.kind.name) (\(programs))\(cause)\n".utf8))
  }

  /// A function that returns whether the time of the campaign is up, or Ctrl-C was pressed after
  /// the runs. Failures that were not examined by then are only named in the report.
  var isOutOfTime: @Sendable () -> Bool {
    { [start, end] in
      Progress.isInterrupted || end.map { Progress.seconds(since: start) >= $0 } ?? false
    }
  }

  /// Ends the runs, and shows the next activity if it takes time. Discards the Ctrl-C that ended
  /// the runs, so that it does not end the next activity.
  func endRuns(_ next: String = "") {
    if Progress.hasStatusLine { Progress.show([[next]]) }
    for signal in [SIGINT, SIGTERM] where Progress.isPending(signal) {
      var set = sigset_t()
      unsafe sigemptyset(&set)
      unsafe sigaddset(&set, signal)
      var taken: Int32 = 0
      // The signal is pending, so the call does not wait.
      _ = unsafe sigwait(&set, &taken)
    }
  }

  private static var isInterrupted: Bool { isPending(SIGINT) || isPending(SIGTERM) }

  private static func isPending(_ signal: Int32) -> Bool {
    var set = sigset_t()
    unsafe sigpending(&set)
    return unsafe sigismember(&set, signal) == 1
  }
}
