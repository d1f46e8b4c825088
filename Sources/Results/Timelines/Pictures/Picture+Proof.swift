/// Marks that prove a violation, namely numbers at steps and the edges of a deadlock's cycle. Each
/// violation of the run has its own marks. The page shows the marks of one violation at a time.
extension Picture {
  func marks(of index: Int) -> String {
    let finding = timeline.findings[index]
    let edges = finding.cycle.indices.map { self.edges(of: $0, in: finding.cycle) }
    // Texts come last, so that no edge covers the text of another edge.
    let texts = edges.flatMap(\.texts).map(drawn)
    let parts = (edges.map(\.lines) + texts + [badges(finding)]).joined()
    if parts.isEmpty { return "" }
    return "<g class=\"marks\(index == subject ? " shown" : "")\" data-finding=\"\(index)\">"
      + parts + "</g>"
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

  /// Returns an edge from the step that took a queue to the wait. A second edge leads from the wait
  /// to the step that took the awaited queue. The edges of all lanes close the cycle.
  private func edges(of index: Int, in cycle: [Timeline.CycleLink]) -> Edges {
    let link = cycle[index]
    let next = cycle[(index + 1) % cycle.count]
    guard let wait = link.wait else { return Edges() }
    let hold = hold(link, wait)
    guard let taken = next.taken ?? next.wait else { return hold }
    // A single wait needs no edge besides its box.
    if cycle.count == 1, link.claim == nil { return hold }
    let waits = waits(link, wait, for: taken)
    return Edges(lines: hold.lines + waits.lines, texts: hold.texts + waits.texts)
  }

  func cycleLabels(of index: Int, in cycle: [Timeline.CycleLink]) -> [PictureLabel] {
    edges(of: index, in: cycle).texts
  }

  private func hold(_ link: Timeline.CycleLink, _ wait: Int) -> Edges {
    let start = link.taken ?? wait
    let (column, target) = (timeline.moments[start].column, timeline.moments[wait].column)
    let x = layout.boxRight(of: column)
    let y = layout.middle(of: start)
    let text = label("cycle", link.claim ?? "", at: x + 14, y - 5)
    if start == wait { return Edges(texts: [text]) }
    // Run beside the boxes, because the edges of waits arrive from further out.
    let gutter = target > column ? layout.x(of: target) - 4 : layout.boxRight(of: target) + 7
    let end = target > column ? layout.boxLeft(of: target) : layout.boxRight(of: target)
    let path = turned(from: (x, y), along: gutter, to: (end, layout.middle(of: wait) - 5))
    return Edges(lines: line("cycle hold", path, hasHead: false), texts: [text])
  }

  private func waits(_ link: Timeline.CycleLink, _ wait: Int, for taken: Int) -> Edges {
    let (column, target) = (timeline.moments[wait].column, timeline.moments[taken].column)
    let isLeftwards = target <= column
    let start = isLeftwards ? layout.boxLeft(of: column) : layout.boxRight(of: column)
    let y = layout.middle(of: wait) + 6
    let isFromRight = target < column
    let gutter = isFromRight ? layout.boxRight(of: target) + 25 : layout.boxLeft(of: target) - 16
    // From the right, end at the edge that shows the held queue.
    let end = isFromRight ? layout.boxRight(of: target) + 10 : layout.boxLeft(of: target)
    let path = turned(from: (start, y), along: gutter, to: (end, layout.middle(of: taken) + 5))
    return Edges(
      lines: line("cycle", path),
      texts: [
        // On the right, leave room for the edge in the opposite direction.
        label(
          "cycle", "waits for \(link.waitsFor)", at: gutter + (isLeftwards ? -6 : 24), y + 8,
          isLeftwards: isLeftwards)
      ])
  }

  // MARK: Schedules

  /// A line at the moment from which the schedules of two outcomes differ.
  var partingLine: String {
    guard let parting else { return "" }
    let y = layout.y(of: parting.moment) - 11
    return
      "<g class=\"parting\"><line x1=\"8\" y1=\"\(y)\" x2=\"\(layout.width - 8)\" y2=\"\(y)\"/>"
      + "<text x=\"12\" y=\"\(y - 6)\">\(escaped(parting.text))</text></g>"
  }
}

/// The edges of a deadlock's cycle, separate from their texts.
private struct Edges {
  var lines = ""
  var texts: [PictureLabel] = []
}
