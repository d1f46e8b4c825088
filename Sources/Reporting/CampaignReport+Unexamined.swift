import Campaigns
import Failures
import Prose

/// The failures that the report lacks, because the time was up before they were examined.
extension CampaignReport {
  /// The kinds of these failures, in order of appearance, each with the number of its leads.
  var unexaminedCounts: [(kind: FailureKind, count: Int)] {
    var counts: [(kind: FailureKind, count: Int)] = []
    for kind in unexamined {
      if let index = counts.firstIndex(where: { $0.kind == kind }) {
        counts[index].count += 1
      } else {
        counts.append((kind, 1))
      }
    }
    return counts
  }

  private static let reason = "not examined, because the time was up"

  /// "lost update (3 leads)"
  private var unexaminedTexts: [String] {
    unexaminedCounts.map { kind, count in "\(kind) (\(count) lead\(count == 1 ? "" : "s"))" }
  }

  /// "not examined, because the time was up: lost update (3 leads)"; nil if all was examined.
  var unexaminedSentence: String? {
    unexamined.isEmpty
      ? nil : "\(CampaignReport.reason): \(unexaminedTexts.joined(separator: ", "))"
  }

  /// The same, wrapped.
  func unexaminedLines(width: Int) -> [String] {
    unexamined.isEmpty
      ? []
      : wrapped(
        unexaminedTexts.joined(separator: ", "), after: "\(CampaignReport.reason): ",
        indentation: 2, at: ", ", width: width)
  }
}
