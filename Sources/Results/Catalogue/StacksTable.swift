import Failures
import Campaigns
import Invariants
import Prose

/// The table of stacks for a terminal.
package struct StacksTable {
  private let surveys: [StackSurvey]

  package init(_ surveys: [StackSurvey]) { self.surveys = surveys }

  package var lines: [String] {
    let names = surveys.enumerated().map { number, survey in
      "  \(number + 1)  \(survey.name): \(grouped(survey.report.runs)) programs, "
        + "\(grouped(survey.report.steps)) steps"
    }
    let rows =
      [[""] + surveys.indices.map { "\($0 + 1)" }]
      + FailureKind.violations.map { kind in
        [kind.name] + surveys.map { text(of: $0.cell(for: kind)) }
      }
      + StackSurvey.times(of: surveys)
    return names + [""] + aligned(rows)
  }

  private func text(of cell: StackSurvey.Cell) -> String {
    switch cell {
    case .seen(let count): grouped(count)
    case .neverSeen: "0"
    case .impossible: "-"
    }
  }

  /// Aligns the first column to the left and other columns to the right.
  private func aligned(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      zip(row, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + space : space + cell.0
      }.joined(separator: "  ")
    }
  }
}
