/// What goes from lane to lane. Arrows run in the gutters between boxes: along the row in which
/// they begin, which has no other box, then down beside the lane that they lead to.
extension Picture {
  // MARK: Saves and merges

  func arrows(at index: Int) -> String {
    let moment = timeline.moments[index]
    let drawn = moment.arrows.map { arrow in
      if let from = arrow.from { return merge(arrow, from: from, to: index) }
      return arrow.to.map { save(arrow, at: index, to: $0) } ?? ""
    }.joined()
    if drawn.isEmpty { return "" }
    return
      "<g class=\"carries\(isInProof(index) ? " proof" : "")\" data-of=\"\(index)\">\(drawn)</g>"
  }

  private func save(_ arrow: Timeline.Arrow, at index: Int, to target: Int) -> String {
    let column = timeline.moments[index].column
    let y = layout.middle(of: index)
    let text = carried.label(arrow)
    if target == column {
      // A parent on the same queue: out and back in.
      let x = layout.boxRight(of: column)
      return line("save", "M\(x) \(y - 6)H\(x + 12)V\(y + 6)H\(x + 1)")
        + label("save", text, at: x + 18, y + 4)
    }
    let isLeftwards = target < column
    let start = isLeftwards ? layout.boxLeft(of: column) : layout.boxRight(of: column)
    return line("save", "M\(start) \(y)H\(layout.center(of: target) + (isLeftwards ? 2 : -2))")
      + label("save", text, at: start + (isLeftwards ? -8 : 8), y - 5, isLeftwards: isLeftwards)
  }

  private func merge(_ arrow: Timeline.Arrow, from source: Int, to index: Int) -> String {
    let (column, target) = (timeline.moments[source].column, timeline.moments[index].column)
    let isLeftwards = target < column
    let start = isLeftwards ? layout.boxLeft(of: column) : layout.boxRight(of: column)
    let gutter = isLeftwards || target == column ? layout.end(of: target) : layout.x(of: target)
    let end =
      gutter == layout.x(of: target) ? layout.boxLeft(of: target) : layout.boxRight(of: target)
    let y = layout.middle(of: source) + 9
    return line(
      "merge", turned(from: (start, y), along: gutter, to: (end, layout.middle(of: index))))
      + label(
        "merge", carried.label(arrow), at: gutter + (isLeftwards ? -6 : 6), y + 12,
        isLeftwards: isLeftwards)
  }

  // MARK: Blocks

  /// From where a block was enqueued to where it begins.
  func hop(to index: Int) -> String {
    let block = timeline.blocks[index]
    guard let turn = block.enqueuedAt,
      let first = timeline.moments.firstIndex(where: { $0.block == index })
    else { return "" }
    let before = timeline.moments[..<first].lastIndex { moment in
      moment.turn <= turn && (block.enqueuedFrom == nil || moment.column == block.enqueuedFrom)
    }
    let target = layout.y(of: first) + 6
    guard let from = block.enqueuedFrom, let before else {
      // The program's thread has no lane; it stands at the left edge.
      return line(
        "hop",
        turned(
          from: (PictureLayout.left - 18, layout.y(of: first) - 8),
          along: layout.x(of: block.column) - 3, to: (layout.x(of: block.column) + 6, target)))
    }
    let isLeftwards = block.column < from
    let start = isLeftwards ? layout.boxLeft(of: from) : layout.boxRight(of: from)
    let gutter = isLeftwards ? layout.end(of: block.column) + 3 : layout.x(of: block.column) - 3
    let end = isLeftwards ? layout.end(of: block.column) - 6 : layout.x(of: block.column) + 6
    let own = from == block.column ? layout.boxLeft(of: from) : start
    return line(
      "hop", turned(from: (own, layout.middle(of: before) + 5), along: gutter, to: (end, target)))
  }

  // MARK: Lines

  /// Along the row, down or up the gutter, and into the box.
  func turned(from start: (x: Int, y: Int), along x: Int, to end: (x: Int, y: Int)) -> String {
    if start.y == end.y { return "M\(start.x) \(start.y)H\(end.x)" }
    let down = end.y > start.y ? 1 : -1
    let radius = min(5, abs(end.y - start.y) / 2)
    // Of a corner without room, the curve is left out.
    let before = abs(x - start.x) < radius ? x : x - radius * (x - start.x).signum()
    let after = abs(end.x - x) < radius ? x : x + radius * (end.x - x).signum()
    return "M\(start.x) \(start.y)H\(before)Q\(x) \(start.y) \(x) \(start.y + down * radius)"
      + "V\(end.y - down * radius)Q\(x) \(end.y) \(after) \(end.y)H\(end.x)"
  }

  /// With a rim in the colour of the page, so that it can be followed across other lines.
  func line(_ kind: String, _ path: String, hasHead: Bool = true) -> String {
    let head = hasHead ? " marker-end=\"url(#\(kind)-head)\"" : ""
    return "<path class=\"rim\" d=\"\(path)\"/><path class=\"arrow \(kind)\" d=\"\(path)\"\(head)/>"
  }

  func label(
    _ kind: String, _ text: String, at x: Int, _ y: Int, isLeftwards: Bool = false
  ) -> String {
    if text.isEmpty { return "" }
    let shown = layout.labelText(text, at: x, isLeftwards: isLeftwards)
    let full = shown == text ? "" : "<title>\(escaped(text))</title>"
    return "<text class=\"label \(kind)\(isLeftwards ? " leftwards" : "")\" x=\"\(x)\" y=\"\(y)\">"
      + "\(escaped(shown))\(full)</text>"
  }

  static let markers = ["save", "merge", "hop", "cycle"].map {
    "<marker id=\"\($0)-head\" class=\"\($0)\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
      + "markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
      + "<path d=\"M0 0L8 4L0 8z\"/></marker>"
  }.joined()

  var markers: String { Picture.markers }
}
