import Determinism

/// The spans of a run by depth, outermost first. No other span encloses the spans of layer 0.
///
/// The spans of a layer are in reading order. Empty spans are omitted. A span with the same extent
/// as its enclosing span is omitted too, because no edit could distinguish the two.
struct SpanLayers {
  private(set) var layers: [[Choices.Span]] = []

  init(_ spans: [Choices.Span]) {
    for stream in Choices.Recording.readingOrder {
      insert(spans.filter { $0.stream == stream && !$0.range.isEmpty })
    }
  }

  private mutating func insert(_ spans: [Choices.Span]) {
    let ordered = spans.sorted {
      ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
    }
    var enclosing: [Choices.Span] = []
    for span in ordered {
      while let last = enclosing.last, last.range.upperBound <= span.range.lowerBound {
        enclosing.removeLast()
      }
      if enclosing.last == span { continue }
      if layers.count == enclosing.count { layers.append([]) }
      layers[enclosing.count].append(span)
      enclosing.append(span)
    }
  }

  var count: Int { layers.count }

  /// Returns the spans at `depth`, or an empty array if no span has that depth.
  subscript(depth: Int) -> [Choices.Span] { layers.indices ~= depth ? layers[depth] : [] }

  /// Every span, outer spans before inner spans.
  var all: [Choices.Span] { layers.flatMap { $0 } }

  /// Returns the length of the sequence of spans of `layer`, up to and including `index`, that
  /// touch each other without a gap.
  static func adjacentCount(in layer: [Choices.Span], endingAt index: Int) -> Int {
    var first = index
    while first > 0, layer[first - 1].stream == layer[first].stream,
      layer[first - 1].range.upperBound == layer[first].range.lowerBound
    { first -= 1 }
    return index - first + 1
  }

  /// Returns the maximal stretches of touching spans in `layer`, as ranges of indexes.
  static func stretches(of layer: [Choices.Span]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var end = layer.count
    while end > 0 {
      let start = end - adjacentCount(in: layer, endingAt: end - 1)
      result.append(start..<end)
      end = start
    }
    return result.reversed()
  }

  /// Returns, for every choice of `stream`, its offset from the start of its innermost span. The
  /// offset of a choice outside of all spans is nil.
  func columns(of stream: Choices.Stream, count: Int) -> [Int?] {
    var columns = [Int?](repeating: nil, count: count)
    for span in all where span.stream == stream {
      for index in span.range { columns[index] = index - span.range.lowerBound }
    }
    return columns
  }
}
