package import Execution
package import Failures
import SimulatedDispatch

/// The scheduling decisions of a run, with the result of the run for each lane that could have run
/// instead.
package struct RunDecisions {
  /// A moment at which more than one lane could run.
  package struct Decision {
    /// The index of the first moment that the chosen lane shows.
    package fileprivate(set) var moment: Int
    /// The text of that moment, such as `view: save`, or the name of the lane.
    package let chosen: String
    package fileprivate(set) var alternatives: [Alternative]
  }

  /// A lane that could have run.
  package struct Alternative {
    /// The name of the lane, such as `a block of view`.
    package let lane: String
    /// The text of the first moment that the lane shows if it runs, or nil if it shows none.
    package fileprivate(set) var text: String?
    package fileprivate(set) var result = Result.notExplored
    /// The schedules that begin like the alternative, or nil if none was run besides.
    package fileprivate(set) var further: Further?

    /// Returns whether a reader cannot distinguish the alternatives, except by further schedules.
    fileprivate func reads(as other: Alternative) -> Bool {
      lane == other.lane && text == other.text && result == other.result
    }
  }

  /// Schedules with the same beginning. Schedules that differ only in the order of independent
  /// turns count as one.
  package struct Further {
    package let count: Int
    package let failingCount: Int
    /// The number of schedules with the same result as the alternative.
    package let alikeCount: Int
    /// A Boolean value that indicates whether no further schedules with this beginning exist.
    package let areAll: Bool

    /// Returns the end of a sentence that begins with `result`.
    func text(besides result: Result) -> String {
      let noun = areAll ? "schedules from here" : "explored schedules from here"
      let passes = result == .passes
      if alikeCount == count { return ", as do all \(count) \(noun)" }
      return passes
        ? "; \(failingCount) of \(count) \(noun) fail" + (failingCount == 1 ? "s" : "")
        : "; \(count - failingCount) of \(count) \(noun) pass"
          + (count - failingCount == 1 ? "es" : "")
    }
  }

  /// The result of a run, compared with the run of the page.
  package enum Result: Hashable {
    case passes
    /// The run shows the violation that the page is about.
    case failsAlike
    /// The run shows other violations.
    case fails([FailureKind])
    case notExplored

    package var text: String {
      switch self {
      case .passes: "passes"
      case .failsAlike: "fails alike"
      case .fails(let kinds):
        "fails with \(kinds[0].name)"
          + (kinds.count > 1 ? " and \(kinds.count - 1) more" : "")
      case .notExplored: "not explored"
      }
    }
  }

  package private(set) var decisions: [Decision] = []
  /// The number of further decisions, which `decisions` omits.
  package private(set) var omittedCount = 0
  /// A Boolean value that indicates whether the decisions are unknown, because the run differs if
  /// lanes may overtake each other, or has conditions that the program does not state.
  package private(set) var areUnknown = false
  /// A Boolean value that indicates whether the program prescribes the order of its steps.
  package let isInOrder: Bool

  /// The maximum number of alternatives on a page, and of further schedules for each.
  static let (alternativeLimit, furtherLimit) = (100, 20)
  /// The maximum effort for alternatives, and for further schedules. The effort of a run is its
  /// length.
  static let (effortLimit, furtherEffortLimit) = (40_000, 8_000)

  /// Explores the alternatives of a run. If there are too many, prefers the decisions before the
  /// violation with the index `main`.
  package init(
    of program: Program, _ timeline: Timeline, main: Int?, _ configuration: RunConfiguration
  ) {
    isInOrder = !program.isInterleaved
    let (outcome, run) = ProgramRunner(configuration).record(program)
    let repeated = Timeline(of: run, outcome)
    let subject = main.map { timeline.findings[$0].kind }
    guard repeated.moments.count == timeline.moments.count,
      subject.map(outcome.failureKinds.contains) ?? outcome.failureKinds.isEmpty,
      repeated.commonCount(with: timeline) == timeline.moments.count,
      let alternatives = ScheduleAlternatives(of: run, program, configuration)
    else {
      areUnknown = true
      return
    }
    let all = alternatives.decisions
    let last = main.flatMap { main in
      timeline.moments.first { $0.violations.contains(main) }?.turn
    }
    let end = last.map { last in all.firstIndex { $0.turn > last } ?? all.count }
    let shown = RunDecisions.range(
      all.map(\.others.count), endingAt: end, limit: RunDecisions.alternativeLimit)
    omittedCount = all.count - shown.count
    for decision in all[shown] {
      let moment = timeline.moment(of: decision.chosen.lane.index, from: decision.turn)
      decisions.append(
        Decision(
          moment: moment ?? timeline.moments.firstIndex { $0.turn >= decision.turn }
            ?? max(0, timeline.moments.count - 1),
          chosen: moment.map(timeline.brief) ?? decision.chosen.name,
          alternatives: decision.others.map { Alternative(lane: $0.name) }))
    }
    explore(
      alternatives, shown, endingAt: min(end ?? 0, shown.upperBound) - shown.lowerBound,
      subject: subject)
    mergeEqual()
  }

  /// - Parameter end: The number of shown decisions before the violation, or 0 without a violation.
  private mutating func explore(
    _ alternatives: ScheduleAlternatives, _ shown: Range<Int>, endingAt end: Int,
    subject: FailureKind?
  ) {
    let all = alternatives.decisions
    let limit = RunDecisions.effortLimit / max(1, alternatives.length)
    // Later decisions are closer to the violation.
    let explored = RunDecisions.range(
      all[shown].map(\.others.count), endingAt: max(0, end), limit: limit)
    let range = shown.lowerBound + explored.lowerBound..<shown.lowerBound + explored.upperBound
    var furtherCount = RunDecisions.furtherEffortLimit / max(1, alternatives.length)
    alternatives.run(range) { number, lane, outcome, run in
      let timeline = Timeline(of: run, outcome)
      let decision = number - shown.lowerBound
      guard let index = all[number].others.firstIndex(where: { $0.lane == lane }) else { return 0 }
      decisions[decision].alternatives[index].text =
        timeline.moment(of: lane.index, from: all[number].turn).map(timeline.brief)
      decisions[decision].alternatives[index].result =
        RunDecisions.result(outcome.failureKinds, subject: subject)
      return min(furtherCount, RunDecisions.furtherLimit)
    } further: { number, lane, kinds, areAll in
      furtherCount -= kinds.count
      let decision = number - shown.lowerBound
      guard let index = all[number].others.firstIndex(where: { $0.lane == lane }), kinds.count > 1
      else { return }
      decisions[decision].alternatives[index].further = Further(
        count: kinds.count, failingCount: kinds.count { !$0.isEmpty },
        alikeCount: kinds.count {
          RunDecisions.result($0, subject: subject)
            == decisions[decision].alternatives[index].result
        }, areAll: areAll)
    }
  }

  /// Merges decisions of one moment, and lists each of their alternatives once.
  private mutating func mergeEqual() {
    var merged: [Decision] = []
    for decision in decisions {
      guard let last = merged.last, last.moment == decision.moment, last.chosen == decision.chosen
      else {
        merged.append(decision)
        continue
      }
      merged[merged.count - 1].alternatives += decision.alternatives.filter { alternative in
        !last.alternatives.contains { $0.reads(as: alternative) }
      }
    }
    decisions = merged
  }

  /// Adapts the list to the moments that a page shows. Omits decisions at other moments.
  mutating func shift(by window: Range<Int>) {
    let kept = decisions.filter { window.contains($0.moment) }
    omittedCount += decisions.count - kept.count
    decisions = kept.map { decision in
      var decision = decision
      decision.moment -= window.lowerBound
      return decision
    }
  }

  private static func result(_ kinds: [FailureKind], subject: FailureKind?) -> Result {
    if kinds.isEmpty { return .passes }
    return subject.map(kinds.contains) ?? false ? .failsAlike : .fails(kinds)
  }

  /// Returns the range of decisions that ends at `end` and has at most `limit` alternatives. If
  /// there is room, the range continues after `end`. Without an end, the range begins with the
  /// first decision.
  private static func range(_ counts: [Int], endingAt end: Int?, limit: Int) -> Range<Int> {
    var (lower, upper) = (end ?? 0, end ?? 0)
    var rest = limit
    while lower > 0, counts[lower - 1] <= rest {
      lower -= 1
      rest -= counts[lower]
    }
    while upper < counts.count, counts[upper] <= rest {
      rest -= counts[upper]
      upper += 1
    }
    return lower..<upper
  }
}

extension Timeline {
  /// Returns the index of the first moment of a lane at or after a turn.
  fileprivate func moment(of lane: Int, from turn: Int) -> Int? {
    moments.firstIndex { $0.turn >= turn && $0.lane == lane }
  }

  /// Returns a description of a moment without its number and answers, such as `view: save`.
  fileprivate func brief(_ moment: Int) -> String {
    "\(columns[moments[moment].column].name): \(name(of: moments[moment]))"
  }
}
