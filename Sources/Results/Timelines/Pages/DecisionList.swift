import Prose

/// The scheduling decisions of a run as a list. Each has the step that ran, and for each other
/// lane, the result of the run in which that lane runs instead.
struct DecisionList {
  private let decisions: RunDecisions
  private let timeline: Timeline

  init(_ decisions: RunDecisions, of timeline: Timeline) {
    (self.decisions, self.timeline) = (decisions, timeline)
  }

  var html: String {
    """
    <details class="under decisions"\(isShort ? " open" : "")>
    <summary>\(escaped(summary))</summary>
    \(introduction.map { "<p>\(escaped($0))</p>" }.joined(separator: "\n"))
    <ol>
    \(decisions.decisions.map(item).joined(separator: "\n"))
    </ol>
    </details>
    """
  }

  private var isShort: Bool { (1...8).contains(decisions.decisions.count) }

  private var results: [RunDecisions.Result] {
    decisions.decisions.flatMap { $0.alternatives.map(\.result) }
  }

  private var summary: String {
    if decisions.areUnknown { return "Scheduling decisions: not explored" }
    let count = decisions.decisions.count + decisions.omittedCount
    if count == 0 { return "Scheduling decisions: none" }
    let passing = results.count { $0 == .passes }
    let explored = results.count { $0 != .notExplored }
    return "Scheduling decisions: \(grouped(count)). "
      + "Of \(grouped(explored)) explored alternative\(explored == 1 ? "" : "s"), "
      + (passing == 0 ? "none passes" : "\(grouped(passing)) pass\(passing == 1 ? "es" : "")")
  }

  private var introduction: [String] {
    if decisions.areUnknown {
      return [
        "This run cannot be repeated with lanes that overtake each other. Its alternatives were not "
          + "explored."
      ]
    }
    if results.isEmpty, decisions.omittedCount == 0 {
      return ["At every moment of this run, only one lane could run."]
    }
    var sentences = [
      "At each of these moments, more than one lane could run. For each alternative, the run was "
        + "repeated with that lane first. The lanes then follow in their recorded order, as far as "
        + "possible. The counts cover all schedules that begin like the alternative."
    ]
    if decisions.isInOrder {
      sentences.append(
        "The program prescribes the order of its steps. The alternatives disregard this order.")
    }
    if decisions.omittedCount > 0 {
      sentences.append(
        decisions.omittedCount == 1
          ? "The list omits one further decision."
          : "The list omits \(grouped(decisions.omittedCount)) further decisions.")
    }
    return sentences
  }

  private func item(_ decision: RunDecisions.Decision) -> String {
    let next = timeline.moments[decision.moment...].map(\.step).first { $0 > 0 }
    let isStep = timeline.moments[decision.moment].step > 0
    let name = next.map { isStep ? "Step \($0)" : "Before step \($0)" } ?? "At the end"
    return "<li data-decision=\"\(decision.moment)\">"
      + "<button type=\"button\" data-go=\"\(decision.moment)\">\(name)</button> "
      + "<code>\(escaped(decision.chosen))</code> ran. Instead:\n<ul>\n"
      + decision.alternatives.map(item).joined(separator: "\n") + "\n</ul></li>"
  }

  private func item(_ alternative: RunDecisions.Alternative) -> String {
    let text = alternative.text.map { "<code>\(escaped($0))</code> " } ?? ""
    let lane = text.isEmpty ? alternative.lane : "(\(alternative.lane))"
    let sign =
      switch alternative.result {
      case .passes: "<b class=\"good\">✓ "
      case .failsAlike, .fails: "<b class=\"bad\">✗ "
      case .notExplored: "<b class=\"fine\">"
      }
    let further = alternative.further?.text(besides: alternative.result)
    return "<li>\(text)<span class=\"fine\">\(escaped(lane))</span>: "
      + "\(sign)\(escaped(alternative.result.text))</b>\(further.map(escaped) ?? "")</li>"
  }
}
