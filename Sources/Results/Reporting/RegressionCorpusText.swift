import Failures
import Campaigns
import Invariants
import Prose

/// The results of replaying a folder of failures, as lines of a report. If the folder contains the
/// examples of the last campaign, results that the report shows anyway are omitted.
struct RegressionCorpusText {
  let folder: RegressionCorpus
  let detail: HumanReport.Detail
  /// The command by which the tool was called.
  let tool: String

  var lines: [String] {
    folder.isOfLastCampaign && detail < .verbose ? remarks : all
  }

  private var remarks: [String] {
    let kept = folder.onlyKept.map {
      "kept from an earlier campaign, and still failing: \($0.title); \(HumanReport.quoted(tool)) replay "
        + HumanReport.quoted(ExampleFolder.name(of: $0.path))
    }
    let gone = folder.kept.filter {
      switch $0.status {
      case .passes, .isRuledOut: true
      case .fails, .isAboutAnotherStack, .isLeftOut: false
      }
    }
    return (detail > .quiet ? summary : []) + kept + gone.map(text)
      + folder.problems.map { "problem: \($0)" }
  }

  /// The number of replayed examples, and the number of examples that were left alone.
  private var summary: [String] {
    let others = folder.kept.count { $0.status == .isAboutAnotherStack }
    let leftOut = folder.kept.count { $0.status == .isLeftOut }
    let replayed = folder.kept.count - others - leftOut
    var lines: [String] = []
    if replayed > 0 {
      lines.append(
        "\(replayed) kept example\(replayed == 1 ? "" : "s") replayed, "
          + "\(folder.kept.count(where: \.isFailing)) still failing")
    }
    if others > 0 {
      lines.append(
        "ignored in \(folder.path): \(others) kept example\(others == 1 ? "" : "s") for contexts "
          + "that this stack does not have")
    }
    if leftOut > 0 {
      lines.append(
        "ignored in \(folder.path): \(leftOut) kept example\(leftOut == 1 ? "" : "s") that this "
          + "campaign does not count")
    }
    return lines
  }

  private var all: [String] {
    let (kept, count) = (folder.kept, folder.kept.count)
    let failing = kept.count(where: \.isFailing)
    let others = kept.count { [.isAboutAnotherStack, .isLeftOut].contains($0.status) }
    let summary =
      "kept failures: \(count - others) of \(folder.path) replayed, \(failing) still failing"
    return [count == 0 ? "kept failures: none to replay in \(folder.path)" : summary]
      + kept.map { "  " + text($0) }
      + folder.written.map { "  written: \($0)" } + notKept
      + folder.problems.map { "  problem: \($0)" }
  }

  private var notKept: [String] {
    let count = folder.leftOutCount
    return count == 0
      ? [] : ["  not kept: \(count) failure\(count == 1 ? "" : "s"), known or left out"]
  }

  private func text(_ failure: RegressionCase) -> String {
    switch failure.status {
    case .fails(let standing, let path):
      "\(failure.path): still shows \(failure.title)"
        + (standing == .known ? ", a known failure, shown by \(path ?? "a scenario")" : "")
        + (standing == .warning ? ", a warning" : "")
    case .passes(let target?):
      "\(failure.path): no longer shows \(failure.kind); moved to \(target)"
    case .isRuledOut(let target):
      "\(failure.path): contains steps that this stack does not allow"
        + (target.map { "; moved to \($0)" } ?? "")
    case .passes(nil): "\(failure.path): no longer shows \(failure.kind)"
    case .isAboutAnotherStack:
      "\(failure.path): ignored, because it uses contexts that this stack does not have"
    case .isLeftOut:
      "\(failure.path): ignored, because this campaign does not count \(failure.kind)"
    }
  }
}

extension RegressionCase {
  /// The kind and the cause, such as `lost update (quirk childSaveIgnoresMergePolicy)`.
  var title: String { kind.name + (cause?.specificText(in: part).map { " (\($0))" } ?? "") }
}
