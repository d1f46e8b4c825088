/// The part of a long timeline that a page shows.
extension Timeline {
  /// The maximum number of moments on a page, and the number of moments that follow a violation.
  private static let (momentLimit, trailingCount) = (240, 10)

  /// Returns the moments that a page shows. They end shortly after the finding `main`, or begin
  /// with the run.
  func window(about main: Int?) -> Range<Int> {
    if moments.count <= Timeline.momentLimit { return 0..<moments.count }
    let showing = main.flatMap { main in
      moments.firstIndex { $0.violations.contains(main) }
    }
    let end = min(moments.count, (showing ?? 0) + 1 + Timeline.trailingCount)
    let start = max(0, end - Timeline.momentLimit)
    return start..<start + Timeline.momentLimit
  }

  /// Returns the timeline with the given moments only. `initialChanges` describes the state before
  /// them.
  func restricted(to window: Range<Int>) -> Timeline {
    if window.count == moments.count { return self }
    func shifted(_ moment: Int?) -> Int? {
      moment.flatMap { window.contains($0) ? $0 - window.lowerBound : nil }
    }
    var result = self
    var state = TimelineState(self)
    for _ in 0..<window.lowerBound { state.advance() }
    result.initialChanges = state.changesFromNothing
    result.moments = moments[window].map { moment in
      var moment = moment
      for index in moment.arrows.indices {
        moment.arrows[index].from = shifted(moment.arrows[index].from)
      }
      return moment
    }
    for index in findings.indices {
      for line in findings[index].proof.indices {
        result.findings[index].proof[line].moment = shifted(findings[index].proof[line].moment)
      }
      for link in findings[index].cycle.indices {
        result.findings[index].cycle[link].taken = shifted(findings[index].cycle[link].taken)
        result.findings[index].cycle[link].wait = shifted(findings[index].cycle[link].wait)
      }
    }
    return result
  }
}

extension RunReport {
  /// Returns the report with the moments that a page shows, and a sentence about omitted moments.
  func shortened() -> (report: RunReport, first: Int, note: String?) {
    let window = timeline.window(about: main)
    let count = timeline.moments.count
    if window.count == count { return (self, 0, nil) }
    var report = self
    report.timeline = timeline.restricted(to: window)
    report.decisions?.shift(by: window)
    let steps = report.timeline.moments.map(\.step).filter { $0 > 0 }
    let range = steps.isEmpty ? "" : ", from step \(steps[0]) to step \(steps[steps.count - 1])"
    return (
      report, window.lowerBound,
      "The run has \(count) moments. The page shows \(window.count) of them\(range). The option "
        + "--events of 'faultline replay' writes all of them."
    )
  }
}
