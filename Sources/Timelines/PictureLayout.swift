import Vocabulary

/// Where the lanes, boxes and labels of a picture stand, in pixels.
struct PictureLayout {
  static let rowHeight = 38
  static let boxHeight = 28
  static let headHeight = 48
  private static let top = 14
  static let left = 58
  /// Between a box and the edge of its lane; twice that is the gutter in which arrows run.
  static let inset = 16
  private static let padding = 10
  /// Of a character of a box and of a label, in tenths of a pixel.
  private static let boxCharacter = 73
  private static let labelCharacter = 67
  /// Of a character of a lane's name.
  private static let headCharacter = 80
  private static let widths = (least: 140, most: 440, each: 190, all: 940)
  private static let longestLabel = 42

  private let timeline: Timeline
  /// By column: where it begins; then where the last one ends.
  private var edges = [PictureLayout.left]
  /// A line of text stands above it.
  private let partingRow: Int?
  private static let partingHeight = 24
  /// As far to the right as labels need.
  private(set) var width = 0

  init(_ timeline: Timeline, partingBefore row: Int?) {
    self.timeline = timeline
    partingRow = row
    for width in PictureLayout.shares(timeline.columns.indices.map(wantedWidth)) {
      edges.append(edges[edges.count - 1] + width)
    }
    width = (edges.last ?? 0) + 8
  }

  var height: Int { y(of: timeline.moments.count) + PictureLayout.top }

  /// To be called once for each label, of which an end may be cut off.
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

  /// As wide as its longest text.
  private func wantedWidth(of column: Int) -> Int {
    let texts =
      [timeline.columns[column].name, timeline.contextNames(of: column)]
      + timeline.moments.filter { $0.column == column }.map(timeline.boxLabel)
    let longest = texts.map(\.count).max() ?? 0
    let wanted =
      (longest + 1) * PictureLayout.boxCharacter / 10
      + 2 * (PictureLayout.inset + PictureLayout.padding)
    return min(PictureLayout.widths.most, max(PictureLayout.widths.least, wanted))
  }

  /// Together as wide as a desktop's window allows; what is scarce is shared fairly: the narrowest
  /// first, and what they leave is for the others.
  private static func shares(_ wanted: [Int]) -> [Int] {
    var left = max(widths.all, wanted.count * widths.each)
    var shares = wanted
    for (rank, column) in wanted.indices.sorted(by: { (wanted[$0], $0) < (wanted[$1], $1) })
      .enumerated()
    {
      shares[column] = min(wanted[column], max(widths.least, left / (wanted.count - rank)))
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

  /// The text of a box, as much as there is room for.
  func boxText(_ text: String, in column: Int) -> String {
    let room = width(of: column) - 2 * (PictureLayout.inset + PictureLayout.padding)
    return shortened(text, to: room * 10 / PictureLayout.boxCharacter)
  }

  /// The name of a lane, as much as its lane has room for.
  func headText(_ text: String, in column: Int) -> String {
    shortened(text, to: (width(of: column) - 8) * 10 / PictureLayout.headCharacter)
  }

  /// A label that begins, or with `isLeftwards` ends, at `x`.
  func labelText(_ text: String, at x: Int, isLeftwards: Bool) -> String {
    let room = isLeftwards ? x - 8 : width - x
    return shortened(text, to: max(6, room * 10 / PictureLayout.labelCharacter))
  }

  /// Of a label, about.
  func labelWidth(_ text: String) -> Int {
    (text.count * PictureLayout.labelCharacter + 9) / 10
  }

  private func shortened(_ text: String, to limit: Int) -> String {
    text.count <= limit ? text : text.prefix(max(1, limit - 1)) + "…"
  }
}

extension Timeline {
  /// The contexts of a queue, unless it is named after the only one; empty then.
  func contextNames(of column: Int) -> String {
    columns[column].contexts.map { places[$0.index] }.filter { $0 != columns[column].name }
      .joined(separator: ", ")
  }

  /// What stands in its box. What waits, and goes on, stands at the moment at which it does.
  func boxLabel(_ moment: Moment) -> String {
    moment.end == nil ? label(moment) : moment.wait ?? label(moment)
  }

  /// What a moment is, and what it answered; with its context where the queue has several.
  func label(_ moment: Moment) -> String {
    var text = moment.text
    if let context = moment.context, columns[moment.column].contexts.count > 1 {
      text = "\(places[context.index]): \(text)"
    }
    if !moment.answers.isEmpty { text += " → " + moment.answers.joined(separator: "; ") }
    return text
  }
}
