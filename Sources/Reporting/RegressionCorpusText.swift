import Failures
import Campaigns
import Invariants

/// What became of a folder of failures, as lines of a report.
struct RegressionCorpusText {
  let folder: RegressionCorpus

  var lines: [String] {
    let (kept, count) = (folder.kept, folder.kept.count)
    let failing = kept.count(where: \.isFailing)
    let others = kept.count { $0.status == .isAboutAnotherStack }
    let summary =
      "kept failures: \(count - others) of \(folder.path) replayed, \(failing) still failing"
    return [count == 0 ? "kept failures: none to replay in \(folder.path)" : summary]
      + kept.map { "  " + text($0) }
      + folder.written.map { "  written: \($0)" } + notKept
      + folder.problems.map { "  problem: \($0)" }
  }

  private var notKept: [String] {
    let count = folder.documentedCount
    if count == 0 { return [] }
    return ["  not kept: \(count), known; with '--known none' they would be"]
  }

  private func text(_ failure: RegressionCase) -> String {
    switch failure.status {
    case .fails(let document):
      "\(failure.path): still shows \(failure.title)"
        + (document.map { ", a known failure, shown by \($0)" } ?? "")
    case .passes(let target?): "\(failure.path): shows no \(failure.kind) any more; now \(target)"
    case .passes(nil): "\(failure.path): shows no \(failure.kind) any more"
    case .isAboutAnotherStack:
      "\(failure.path): is about contexts that this stack has not, and is left alone"
    }
  }
}

extension RegressionCase {
  /// `lost update (quirk childSaveIgnoresMergePolicy)`
  var title: String { kind.name + (cause.map { " (\($0.text))" } ?? "") }
}
