import Campaigns
import Failures
import Prose

/// Reasons besides failures for which a campaign does not pass. Failures were not examined because
/// the time was up, or programs saved next to nothing.
extension CampaignReport {
  /// A title and a sentence for each reason.
  var shortcomings: [(title: String, sentence: String)] {
    [("not examined", unexaminedSentence), ("too few saves", exerciseSentence)]
      .compactMap { title, sentence in sentence.map { (title, $0) } }
  }

  /// A sentence such as "too few programs saved to a store: 2 of 300", or nil if enough programs
  /// did.
  var exerciseSentence: String? {
    if !exercisesLittle { return nil }
    let programs = "\(grouped(saves.storingRuns)) of \(grouped(runs))"
    let fate =
      saves.failed > saves.done
      ? "; \(grouped(saves.failed)) saves failed"
      : saves.refused > saves.done ? "; validation refused \(grouped(saves.refused)) saves" : ""
    return "too few programs saved to a store: \(programs)\(fate)"
  }

  /// The kinds of unexamined failures, in order of appearance, each with the number of its groups
  /// of runs.
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

  /// Texts such as "lost update (3 groups of runs)".
  private var unexaminedTexts: [String] {
    unexaminedCounts.map { kind, count in "\(kind) (\(count) group\(count == 1 ? "" : "s") of runs)"
    }
  }

  /// A sentence such as "not examined, because the time was up: lost update (3 groups of
  /// runs)", or nil if every failure was examined.
  var unexaminedSentence: String? {
    unexamined.isEmpty
      ? nil : "\(CampaignReport.reason): \(unexaminedTexts.joined(separator: ", "))"
  }

  /// Returns the sentence about unexamined failures as wrapped lines.
  func unexaminedLines(width: Int) -> [String] {
    unexamined.isEmpty
      ? []
      : wrapped(
        unexaminedTexts.joined(separator: ", "), after: "\(CampaignReport.reason): ",
        indentation: 2, at: ", ", width: width)
  }
}
