import Failures

/// An outcome of a scenario that runs under all schedules.
package struct RunOutcome {
  package var report: RunReport
  /// The name of the outcome, such as `Outcome 2`.
  package var name: String
  /// A note with the number of schedules that lead to the outcome, and with its distinguishing
  /// features.
  package var note: String

  package init(_ report: RunReport, name: String, note: String) {
    self.report = report
    self.name = name
    self.note = note
  }
}

/// The outcomes of a scenario, each in a tab. A tab marks the step from which its schedule differs
/// from that of a comparable outcome.
struct OutcomeTabs {
  private let outcomes: [RunOutcome]
  private let summary: String

  init(_ outcomes: [RunOutcome], summary: String) {
    (self.outcomes, self.summary) = (outcomes, summary)
  }

  var html: String {
    let tabs = outcomes.indices.map { index in
      let main = outcomes[index].report.main
      let kind = main.map { outcomes[index].report.timeline.findings[$0].kind.name }
      let sign = "<span class=\"\(kind == nil ? "good" : "bad")\" aria-hidden=\"true\">"
      return "<button type=\"button\" role=\"tab\" id=\"tab-\(index + 1)\" "
        + "aria-controls=\"panel-\(index + 1)\" aria-selected=\"\(index == 0)\" "
        + "tabindex=\"\(index == 0 ? 0 : -1)\">\(sign)\(kind == nil ? "✓" : "✗")</span> "
        + "\(escaped(outcomes[index].name)): \(escaped(kind ?? "no violation"))</button>"
    }
    return """
      <p>\(escaped(summary))</p>
      <div class="tabs" role="tablist" aria-label="Outcomes">
      \(tabs.joined(separator: "\n"))
      </div>
      \(outcomes.indices.map(panel).joined(separator: "\n"))
      """
  }

  private func panel(_ index: Int) -> String {
    let outcome = outcomes[index]
    let parting = parting(of: index)
    let view = RunView(
      outcome.report, id: "outcome-\(index + 1)",
      parting: parting.map { ($0.moment, "differs from \($0.other) from here on") })
    let text = parting.map { "<p>\(escaped($0.sentence))</p>" } ?? ""
    return """
      <div class="panel" role="tabpanel" id="panel-\(index + 1)" aria-labelledby="tab-\(index + 1)">
      <p class="fine">\(escaped(outcome.note))</p>
      \(text)
      \(view.html)
      </div>
      """
  }

  // MARK: Where they part

  private struct Parting {
    let moment: Int
    let other: String
    let sentence: String
  }

  /// Returns the moment from which the schedule differs from that of the most similar outcome. An
  /// outcome with violations is preferably compared with one without, and the reverse.
  private func parting(of index: Int) -> Parting? {
    let own = outcomes[index].report
    let others = outcomes.indices.filter { $0 != index }
    let opposite = others.filter { (outcomes[$0].report.main == nil) != (own.main == nil) }
    let candidates = (opposite.isEmpty ? others : opposite).map { other in
      (other: other, count: own.timeline.commonCount(with: outcomes[other].report.timeline))
    }
    guard let nearest = candidates.max(by: { ($0.count, -$0.other) < ($1.count, -$1.other) }),
      nearest.count < own.timeline.moments.count
    else { return nil }
    let other = outcomes[nearest.other].report.timeline
    let name = outcomes[nearest.other].name.lowercased()
    let here = own.timeline.described(nearest.count)
    let there =
      nearest.count < other.moments.count
      ? "in \(name), \(other.described(nearest.count))" : "\(name) ends"
    let start =
      nearest.count == 0
      ? "From the first step on" : "After \(own.timeline.described(nearest.count - 1))"
    return Parting(
      moment: nearest.count, other: name,
      sentence: "\(start) the schedules diverge: here \(here) comes next; \(there).")
  }
}

extension Timeline {
  /// Returns a description of a moment, such as `'save' on view`.
  func described(_ moment: Int) -> String {
    let number = moments[moment].step > 0 ? " (step \(moments[moment].step))" : ""
    return "'\(label(moments[moment]))' on \(columns[moments[moment].column].name)\(number)"
  }
}
