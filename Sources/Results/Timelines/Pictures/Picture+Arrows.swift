/// Arrows between lanes. They run in the gutters between boxes. An arrow follows the row in which
/// it begins, which has no other box, and then runs down beside the target lane.
extension Picture {
  // MARK: Saves and merges

  func arrows(at index: Int) -> String {
    // Among saves to several stores, draw the nearest last, so that its head stays visible.
    let column = timeline.moments[index].column
    let arrows = timeline.moments[index].arrows.enumerated().sorted { a, b in
      let (far, near) = (
        abs((a.element.to ?? column) - column), abs((b.element.to ?? column) - column)
      )
      return (-far, a.offset) < (-near, b.offset)
    }
    return group(of: index, arrows.map { path(of: $0.element, at: index) })
  }

  /// Returns the labels of arrows, which show the changes that the arrows carry.
  func labels(at index: Int) -> String {
    group(of: index, arrowLabels(at: index).map(drawn))
  }

  func arrowLabels(at index: Int) -> [PictureLabel] {
    timeline.moments[index].arrows.compactMap { label(of: $0, at: index) }
  }

  private func group(of index: Int, _ parts: [String]) -> String {
    let drawn = parts.joined()
    if drawn.isEmpty { return "" }
    let proof = isInProof(index) ? " proof" : ""
    return "<g class=\"carries\(proof)\" data-of=\"\(index)\">\(drawn)</g>"
  }

  private func path(of arrow: Timeline.Arrow, at index: Int) -> String {
    if let from = arrow.from { return line("merge", mergePath(from: from, to: index)) }
    return arrow.to.map { line("save", savePath(at: index, to: $0)) } ?? ""
  }

  private func label(of arrow: Timeline.Arrow, at index: Int) -> PictureLabel? {
    let text = carried.label(arrow)
    if let from = arrow.from { return mergeLabel(text, from: from, to: index) }
    return arrow.to.map { saveLabel(text, at: index, to: $0) }
  }

  private func savePath(at index: Int, to target: Int) -> String {
    let column = timeline.moments[index].column
    let y = layout.middle(of: index)
    if target == column {
      // The parent is on the same queue, so the arrow leaves the box and returns to it.
      let x = layout.boxRight(of: column)
      return "M\(x) \(y - 6)H\(x + 12)V\(y + 6)H\(x + 1)"
    }
    let isLeftwards = target < column
    let start = isLeftwards ? layout.boxLeft(of: column) : layout.boxRight(of: column)
    return "M\(start) \(y)H\(layout.center(of: target) + (isLeftwards ? 2 : -2))"
  }

  private func saveLabel(_ text: String, at index: Int, to target: Int) -> PictureLabel {
    let column = timeline.moments[index].column
    let y = layout.middle(of: index)
    if target == column {
      return label("save", text, at: layout.boxRight(of: column) + labelGap + 10, y + 4)
    }
    let isLeftwards = target < column
    let start = isLeftwards ? layout.boxLeft(of: column) : layout.boxRight(of: column)
    // The number of a proof step stands on the left.
    let left = labelGap + (isInProof(index) ? 4 : 0)
    return label(
      "save", text, at: start + (isLeftwards ? -left : labelGap), y - 5,
      isLeftwards: isLeftwards)
  }

  /// Returns the position of the gutter beside the lane that a merge leads to.
  private func gutter(from column: Int, to target: Int) -> Int {
    target <= column ? layout.end(of: target) : layout.x(of: target)
  }

  private func mergePath(from source: Int, to index: Int) -> String {
    let (column, target) = (timeline.moments[source].column, timeline.moments[index].column)
    let start = target < column ? layout.boxLeft(of: column) : layout.boxRight(of: column)
    let end = target <= column ? layout.boxRight(of: target) : layout.boxLeft(of: target)
    return turned(
      from: (start, layout.middle(of: source) + 9), along: gutter(from: column, to: target),
      to: (end, layout.middle(of: index)))
  }

  private func mergeLabel(_ text: String, from source: Int, to index: Int) -> PictureLabel {
    let (column, target) = (timeline.moments[source].column, timeline.moments[index].column)
    let isLeftwards = target < column
    return label(
      "merge", text, at: gutter(from: column, to: target) + (isLeftwards ? -6 : 6),
      layout.middle(of: source) + 21, isLeftwards: isLeftwards)
  }

  // MARK: Blocks

  /// Returns an arrow from the moment that enqueued a block to the beginning of the block.
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
      // The program's thread has no lane, so its arrows begin at the left edge.
      return line(
        "hop",
        turned(
          from: (layout.space.left - 18, layout.y(of: first) - 8),
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

  /// Returns a path along the row, up or down the gutter, and into the box.
  func turned(from start: (x: Int, y: Int), along x: Int, to end: (x: Int, y: Int)) -> String {
    if start.y == end.y { return "M\(start.x) \(start.y)H\(end.x)" }
    let down = end.y > start.y ? 1 : -1
    let radius = min(5, abs(end.y - start.y) / 2)
    // Omit the curve of a corner that has no room for it.
    let before = abs(x - start.x) < radius ? x : x - radius * (x - start.x).signum()
    let after = abs(end.x - x) < radius ? x : x + radius * (end.x - x).signum()
    return "M\(start.x) \(start.y)H\(before)Q\(x) \(start.y) \(x) \(start.y + down * radius)"
      + "V\(end.y - down * radius)Q\(x) \(end.y) \(after) \(end.y)H\(end.x)"
  }

  /// Returns a line with a rim in the background colour, so that the line can be followed across
  /// other lines.
  func line(_ kind: String, _ path: String, hasHead: Bool = true) -> String {
    let head = hasHead ? " marker-end=\"url(#\(kind)-head)\"" : ""
    return "<path class=\"rim\" d=\"\(path)\"/><path class=\"arrow \(kind)\" d=\"\(path)\"\(head)/>"
  }

  func label(
    _ kind: String, _ text: String, at x: Int, _ y: Int, isLeftwards: Bool = false
  ) -> PictureLabel {
    PictureLabel(kind: kind, text: text, x: x, y: y, isLeftwards: isLeftwards)
  }

  static let markers = ["save", "merge", "hop", "cycle"].map {
    "<marker id=\"\($0)-head\" class=\"\($0)\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
      + "markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
      + "<path d=\"M0 0L8 4L0 8z\"/></marker>"
  }.joined()

  var markers: String { Picture.markers }
}
