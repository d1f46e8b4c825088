import Failures
package import Campaigns
import Generation
import Invariants
import Prose
import Vocabulary

/// The page `Scenarios/STACKS.md`, which lists the violations that each design permits.
package struct StacksPage {
  package static let path = "Scenarios/STACKS.md"

  package private(set) var text = ""
  private let surveys: [StackSurvey]
  private let settings: CampaignSettings

  package init(_ surveys: [StackSurvey], _ settings: CampaignSettings) {
    self.surveys = surveys
    self.settings = settings
    let parts = [introduction, legend, table, reasons, replays]
    text = parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  /// Notes for a terminal: the reasons why kinds are impossible, and commands that replay the
  /// observed kinds.
  package var notes: [String] { (reasons + [""] + replays).filter { $0 != "```" } }

  private var introduction: [String] {
    [
      "# Violations by stack",
      "",
      "Each column is a stack of [Fixtures/Stacks](../Fixtures/Stacks/README.md), each row a kind of violation.",
      "Each number states in how many of \(grouped(settings.runs)) generated programs it happened. `0` means that no program",
      "showed it, which proves nothing. `–` means that it cannot happen; the reason is listed below. A larger",
      "number does not mean a worse design, because programs do whatever the contexts of a stack allow, batch",
      "requests included. The numbers show which violations to expect, but not how often they occur in an app.",
      "Programs omit steps that break Core Data's rules: "
        + StackSurvey.programsOwn.map { "`\($0.name)`" }.joined(separator: ", ") + ".",
      "",
      "Profile `\(settings.profile.rawValue)`, seed \(settings.seed), models: "
        + settings.models.map { "`\($0.name)`" }.joined(separator: ", ") + ".",
      "`make stacks` writes this page, and `faultline stacks --check` fails when it is out of date.",
    ]
  }

  /// Returns the first line that shows that a page was written with other settings, with the line
  /// that `settings` would result in. Returns `nil` for equal settings.
  ///
  /// Other settings explain why the numbers of the page differ.
  package static func difference(
    of page: String, from settings: CampaignSettings
  ) -> (written: String, asked: String)? {
    for marker in ["generated programs it happened", "Profile `"] {
      let asked = StacksPage([], settings).introduction.first { $0.contains(marker) }
      let written = page.split(separator: "\n").first { $0.contains(marker) }.map(String.init)
      if let asked, let written, asked != written { return (written, asked) }
    }
    return nil
  }

  private var legend: [String] {
    let rows = surveys.enumerated().map { number, survey in
      row(["\(number + 1)", "[\(survey.name)](../Fixtures/Stacks/\(survey.name).stack)"])
    }
    return ["## Stacks", "", row(["", "stack"]), "|---|---|"] + rows
  }

  // MARK: The table

  private var table: [String] {
    let header = row([""] + surveys.indices.map { "\($0 + 1)" })
    let rule = "|---|" + surveys.map { _ in "---:|" }.joined()
    let cells = FailureKind.violations.map { kind in
      row([kind.name] + surveys.map { text(of: $0.cell(for: kind)) })
    }
    return [
      "## Violations", "",
      "The last rows are virtual times of a program: the longest time without interruption that the main queue",
      "was held, and the total time that it was held. Requests to a store and their rows take the `time` that",
      "the stack files declare.", "", header, rule,
    ] + cells + StackSurvey.times(of: surveys).map(row)
  }

  private func text(of cell: StackSurvey.Cell) -> String {
    switch cell {
    case .seen(let count): "**\(grouped(count))**"
    case .neverSeen: "0"
    case .impossible: "–"
    }
  }

  /// The reasons why kinds are impossible, each with the stacks to which it applies.
  private var reasons: [String] {
    var lines = ["## Impossible by construction", ""]
    for kind in FailureKind.violations {
      var reasons: [(reason: String, stacks: [Int])] = []
      for (number, survey) in surveys.enumerated() {
        guard case .impossible(let reason) = survey.cell(for: kind) else { continue }
        if let index = reasons.firstIndex(where: { $0.reason == reason }) {
          reasons[index].stacks.append(number + 1)
        } else {
          reasons.append((reason, [number + 1]))
        }
      }
      for (reason, stacks) in reasons {
        let all = stacks.count == surveys.count
        let who = all ? "all" : stacks.map { "\($0)" }.joined(separator: ", ")
        lines.append("- \(kind), in \(who): \(reason).")
      }
    }
    return lines
  }

  private var replays: [String] {
    var lines = [
      "## The shortest run of each violation", "",
      "These runs are not shrunk. `faultline fuzz --stack NAME` shrinks them and names their causes.",
      "",
    ]
    for survey in surveys {
      lines += ["### \(survey.name)", "", "```"]
      for kind in FailureKind.violations {
        if let line = survey.replay(of: kind) { lines.append("\(line)  # \(kind)") }
      }
      lines += ["```", ""]
    }
    return lines.dropLast()
  }

  private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
