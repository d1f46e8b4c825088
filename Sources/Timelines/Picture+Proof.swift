/// What proves a violation: numbers at the steps, and of a deadlock the edges of its cycle. Each
/// violation of the run has its own; the page shows those of one at a time.
extension Picture {
  func marks(of index: Int) -> String {
    let finding = timeline.findings[index]
    let parts = finding.cycle.indices.map { edges(of: $0, in: finding.cycle) } + [badges(finding)]
    let drawn = parts.joined()
    if drawn.isEmpty { return "" }
    return "<g class=\"marks\(index == subject ? " shown" : "")\" data-finding=\"\(index)\">"
      + drawn + "</g>"
  }

  // MARK: Numbers

  private func badges(_ finding: Timeline.Finding) -> String {
    var counts: [Int: Int] = [:]
    return finding.proof.enumerated().map { index, step in
      guard let moment = step.moment else { return "" }
      let count = counts[moment, default: 0]
      counts[moment] = count + 1
      let x = layout.boxLeft(of: timeline.moments[moment].column) + 2 + count * 19
      let y = layout.y(of: moment) + 1
      return "<circle class=\"badge\" cx=\"\(x)\" cy=\"\(y)\" r=\"9\"/>"
        + "<text class=\"badge\" x=\"\(x)\" y=\"\(y + 4)\">\(index + 1)</text>"
    }.joined()
  }

  // MARK: Deadlocks

  /// From the step that took the queue to the wait, and from the wait to the step that took what
  /// it waits for: together the edges of all lanes close the cycle.
  private func edges(of index: Int, in cycle: [Timeline.CycleLink]) -> String {
    let link = cycle[index]
    let next = cycle[(index + 1) % cycle.count]
    guard let wait = link.wait else { return "" }
    return hold(link, wait) + (next.taken ?? next.wait).map { waits(link, wait, for: $0) }.orEmpty
  }

  private func hold(_ link: Timeline.CycleLink, _ wait: Int) -> String {
    let start = link.taken ?? wait
    let (column, target) = (timeline.moments[start].column, timeline.moments[wait].column)
    let x = layout.boxRight(of: column)
    let y = layout.middle(of: start)
    let text = label("cycle", "holds \(link.holds)", at: x + 14, y - 5)
    if start == wait { return text }
    // Beside the boxes; the waits come from further out.
    let gutter = target > column ? layout.x(of: target) - 4 : layout.boxRight(of: target) + 7
    let end = target > column ? layout.boxLeft(of: target) : layout.boxRight(of: target)
    let path = turned(from: (x, y), along: gutter, to: (end, layout.middle(of: wait) - 5))
    return line("cycle hold", path, hasHead: false) + text
  }

  private func waits(_ link: Timeline.CycleLink, _ wait: Int, for taken: Int) -> String {
    let (column, target) = (timeline.moments[wait].column, timeline.moments[taken].column)
    let isLeftwards = target <= column
    let start = isLeftwards ? layout.boxLeft(of: column) : layout.boxRight(of: column)
    let y = layout.middle(of: wait) + 6
    let isFromRight = target < column
    let gutter = isFromRight ? layout.boxRight(of: target) + 25 : layout.boxLeft(of: target) - 16
    // From the right, the edge ends at the one that says what is held.
    let end = isFromRight ? layout.boxRight(of: target) + 10 : layout.boxLeft(of: target)
    let path = turned(from: (start, y), along: gutter, to: (end, layout.middle(of: taken) + 5))
    return "<path class=\"rim\" d=\"\(path)\"/>"
      + "<path class=\"arrow cycle\" d=\"\(path)\" marker-end=\"url(#cycle-head)\"/>"
      + label(
        "cycle", "waits for \(link.waitsFor)", at: gutter + (isLeftwards ? -6 : 6), y + 8,
        isLeftwards: isLeftwards)
  }

  // MARK: Schedules

  /// Where one outcome's schedule parts from another's.
  var partingLine: String {
    guard let parting else { return "" }
    let y = layout.y(of: parting.moment) - 11
    return
      "<g class=\"parting\"><line x1=\"8\" y1=\"\(y)\" x2=\"\(layout.width - 8)\" y2=\"\(y)\"/>"
      + "<text x=\"12\" y=\"\(y - 6)\">\(escaped(parting.text))</text></g>"
  }
}

extension Optional<String> {
  fileprivate var orEmpty: String { self ?? "" }
}
