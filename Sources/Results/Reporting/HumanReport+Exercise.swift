import Campaigns
import Failures
import Prose

/// The parts of a design that a campaign exercised.
extension HumanReport {
  /// The number of saves with changes, by result.
  var saves: [String] {
    let saves = report.saves
    var counts = ["\(grouped(saves.done)) succeeded"]
    if saves.refused > 0 { counts.append("\(grouped(saves.refused)) refused by validation") }
    if saves.failed > 0 { counts.append("\(grouped(saves.failed)) failed for other reasons") }
    let programs = "\(grouped(saves.storingRuns)) of \(grouped(report.runs)) programs"
    return wrapped(
      (counts + ["\(programs) saved to a store"]).joined(separator: ", "), after: "saves: ",
      indentation: 7, at: ", ", width: width)
  }

  /// The number of calls of each entry point.
  var entryPoints: [String] {
    if report.entryCounts.isEmpty { return [] }
    let counts = report.entryCounts.map { name, count in
      "\(name) "
        + (count == 0 ? "never" : count == 1 ? "once" : "\(grouped(count)) times")
    }
    return wrapped(
      counts.joined(separator: ", "), after: "entry points called: ", indentation: 7, at: ", ",
      width: width)
  }

  /// The number of programs in which each promise had objects to judge, and the number of programs
  /// that broke the promise. A promise that no program put to the test is not confirmed.
  var promises: [String] {
    report.promiseCounts.flatMap { promise in
      let (text, count) = (promise.text, promise.count)
      let failures = (report.violations + report.misuses).filter { $0.subject == .promise(text) }
      let broken = failures.map(\.count).max() ?? 0
      let fate =
        count == 0
        ? "never tested: \(promise.absence)"
        : "tested in \(grouped(count)) \(count == 1 ? "program" : "programs")"
      return wrapped(
        "promise '\(text)': \(fate)" + (broken > 0 ? ", broken in \(grouped(broken))" : ""),
        indentation: 7, at: " ", width: width)
    }
  }
}
