import Vocabulary

/// The positions of lanes, boxes and labels of a picture, in pixels.
struct PictureLayout {
  static let rowHeight = 38
  static let boxHeight = 28
  static let headHeight = 48
  private static let top = 14
  /// The distance between a box and the edge of its lane. Arrows run in gutters of twice this
  /// width.
  static let inset = 16
  /// The width of a character in a box and in a label, in tenths of a pixel.
  private static let boxCharacter = 73
  private static let labelCharacter = 67
  /// The width of a character in the name of a lane, in tenths of a pixel.
  private static let headCharacter = 80
  private static let longestLabel = 42

  /// Lengths that depend on the place of the picture, in pixels.
  struct Space {
    /// The left edge of the first lane. The numbers of steps are to the left of the lane.
    let left: Int
    /// The distance between a box and its text.
    let padding: Int
    /// The distance between the name of a store and the edge of its lane.
    let storeMargin: Int
    /// The minimum and the maximum width of a lane.
    let least: Int
    let most: Int
    /// The width that all lanes share, unless `each` multiplied by their number is more.
    let all: Int
    let each: Int

    static let page = Space(
      left: 58, padding: 10, storeMargin: 26, least: 140, most: 440, all: 940, each: 190)
    static let card = Space(
      left: 44, padding: 6, storeMargin: 8, least: 92, most: 236, all: 500, each: 150)
  }

  private let timeline: Timeline
  let space: Space
  /// The left edges of the columns, followed by the right edge of the last column.
  private var edges: [Int]
  /// The row above which a line of text marks where schedules differ.
  private let partingRow: Int?
  private static let partingHeight = 24
  /// The width of the picture, including the space that labels need.
  private(set) var width = 0

  init(_ timeline: Timeline, partingBefore row: Int?, in space: Space) {
    self.timeline = timeline
    self.space = space
    edges = [space.left]
    partingRow = row
    for width in PictureLayout.shares(timeline.columns.indices.map(wantedWidth), in: space) {
      edges.append(edges[edges.count - 1] + width)
    }
    width = (edges.last ?? 0) + 8
  }

  var height: Int { y(of: timeline.moments.count) + PictureLayout.top }

  /// Widens the picture for a label, of which the end may be cut off. Call this once for each
  /// label.
  mutating func makeRoom(for label: String, at x: Int) {
    let count = min(label.count, PictureLayout.longestLabel) + 1
    width = max(width, x + count * PictureLayout.labelCharacter / 10)
  }

  // MARK: Lanes

  func x(of column: Int) -> Int { edges[column] }

  func end(of column: Int) -> Int { edges[column + 1] }

  func width(of column: Int) -> Int { edges[column + 1] - edges[column] }

  func center(of column: Int) -> Int { x(of: column) + width(of: column) / 2 }

  func boxLeft(of column: Int) -> Int { x(of: column) + PictureLayout.inset }

  func boxRight(of column: Int) -> Int { end(of: column) - PictureLayout.inset }

  /// Returns the width that the longest text of a column needs, within limits.
  private func wantedWidth(of column: Int) -> Int {
    let texts =
      [timeline.columns[column].name, timeline.contextNames(of: column)]
      + timeline.moments.filter { $0.column == column }.map(timeline.boxLabel)
    let longest = texts.map(\.count).max() ?? 0
    let isQueue = column < timeline.queueCount
    let margin = isQueue ? PictureLayout.inset + space.padding : space.storeMargin
    let wanted = (longest + 1) * PictureLayout.boxCharacter / 10 + 2 * margin
    return min(space.most, max(space.least, wanted))
  }

  /// Returns the widths of columns, which together fit the space. Scarce space is shared fairly,
  /// beginning with the narrowest column.
  private static func shares(_ wanted: [Int], in space: Space) -> [Int] {
    var left = max(space.all, wanted.count * space.each)
    var shares = wanted
    for (rank, column) in wanted.indices.sorted(by: { (wanted[$0], $0) < (wanted[$1], $1) })
      .enumerated()
    {
      shares[column] = min(wanted[column], max(space.least, left / (wanted.count - rank)))
      left -= shares[column]
    }
    return shares
  }

  // MARK: Rows

  func y(of row: Int) -> Int {
    let isBelow = partingRow.map { row >= $0 } ?? false
    return PictureLayout.top + row * PictureLayout.rowHeight
      + (isBelow ? PictureLayout.partingHeight : 0)
  }

  func middle(of row: Int) -> Int { y(of: row) + PictureLayout.boxHeight / 2 }

  // MARK: Texts

  /// Returns the text of a box, shortened to fit.
  func boxText(_ text: String, in column: Int) -> String {
    let room = width(of: column) - 2 * (PictureLayout.inset + space.padding)
    return shortened(text, to: room * 10 / PictureLayout.boxCharacter)
  }

  /// Returns the name of a lane, shortened to fit.
  func headText(_ text: String, in column: Int) -> String {
    shortened(text, to: (width(of: column) - 8) * 10 / PictureLayout.headCharacter)
  }

  /// Returns the text of a label, shortened to fit. The label begins at `x`, or ends there if
  /// `isLeftwards` is true.
  func labelText(_ text: String, at x: Int, isLeftwards: Bool) -> String {
    let room = isLeftwards ? x - 8 : width - x
    return shortened(text, to: max(6, room * 10 / PictureLayout.labelCharacter))
  }

  /// Returns the approximate width of a label.
  func labelWidth(_ text: String) -> Int {
    (text.count * PictureLayout.labelCharacter + 9) / 10
  }

  private func shortened(_ text: String, to limit: Int) -> String {
    text.count <= limit ? text : text.prefix(max(1, limit - 1)) + "…"
  }
}

extension Timeline {
  /// Returns the names of a queue's contexts, except a context that the queue is named after.
  func contextNames(of column: Int) -> String {
    columns[column].contexts.map { places[$0.index] }.filter { $0 != columns[column].name }
      .joined(separator: ", ")
  }

  /// Returns the text of a moment's box. If a wait ends, its box shows only the wait, because the
  /// waiting step has its own moment.
  func boxLabel(_ moment: Moment) -> String {
    moment.end == nil ? label(moment) : moment.wait ?? label(moment)
  }

  /// Returns the text of a moment with its answers, and with its context if the queue has several.
  func label(_ moment: Moment) -> String {
    var text = moment.text
    if let context = moment.context, columns[moment.column].contexts.count > 1 {
      text = "\(places[context.index]): \(text)"
    }
    if !moment.answers.isEmpty { text += " → " + moment.answers.joined(separator: "; ") }
    return text
  }
}
