import Campaigns
import Failures
import Prose

extension CampaignReport {
  /// "not examined, because the time was up: lost update (3 leads)": failures that the table lacks.
  func unexaminedLines(width: Int) -> [String] {
    var kinds: [FailureKind] = []
    for kind in unexamined where !kinds.contains(kind) { kinds.append(kind) }
    guard !kinds.isEmpty else { return [] }
    let counts = kinds.map { kind in
      let count = unexamined.count { $0 == kind }
      return "\(kind) (\(count) lead\(count == 1 ? "" : "s"))"
    }
    return wrapped(
      counts.joined(separator: ", "), after: "not examined, because the time was up: ",
      indentation: 2, at: ", ", width: width)
  }
}
