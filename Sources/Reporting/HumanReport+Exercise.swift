import Campaigns
import Prose

/// The parts of a design that a campaign has exercised.
extension HumanReport {
  /// The saves with changes, by what became of them.
  var saves: [String] {
    let saves = report.saves
    var counts = ["\(grouped(saves.done)) went through"]
    if saves.refused > 0 { counts.append("\(grouped(saves.refused)) refused by validation") }
    if saves.failed > 0 { counts.append("\(grouped(saves.failed)) failed otherwise") }
    let programs = "\(grouped(saves.storingRuns)) of \(grouped(report.runs)) programs"
    return wrapped(
      (counts + ["\(programs) saved to a store"]).joined(separator: ", "), after: "saves: ",
      indentation: 7, at: ", ", width: width)
  }

  /// How often each entry point was called.
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

  /// The number of programs in which each promise had objects to judge. Where none had, that the
  /// promise was kept says nothing.
  var promises: [String] {
    report.promiseCounts.flatMap { text, count in
      wrapped(
        count == 0
          ? "promise '\(text)': never put to the test, no program had objects and kept it to its knowledge"
          : "promise '\(text)': put to the test in \(grouped(count)) \(count == 1 ? "program" : "programs")",
        indentation: 7, at: " ", width: width)
    }
  }
}
