import Determinism

/// The spans of a run, outermost first: layer 0 holds those that no other encloses.
///
/// Within a layer they stand in reading order. Empty spans, and spans with the extent of the one
/// that encloses them, are left out: no edit could tell them apart.
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

  /// Empty for a depth that no span has.
  subscript(depth: Int) -> [Choices.Span] { layers.indices ~= depth ? layers[depth] : [] }

  /// Every span, outer ones before inner ones.
  var all: [Choices.Span] { layers.flatMap { $0 } }

  /// How many spans of `layer` up to `index` touch each other without a gap.
  static func adjacentCount(in layer: [Choices.Span], endingAt index: Int) -> Int {
    var first = index
    while first > 0, layer[first - 1].stream == layer[first].stream,
      layer[first - 1].range.upperBound == layer[first].range.lowerBound
    { first -= 1 }
    return index - first + 1
  }

  /// The stretches of `layer` whose spans touch each other, as ranges of indexes.
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

  /// For every choice of `stream`, how many draws of its innermost span came before it; nil outside
  /// of spans.
  func columns(of stream: Choices.Stream, count: Int) -> [Int?] {
    var columns = [Int?](repeating: nil, count: count)
    for span in all where span.stream == stream {
      for index in span.range { columns[index] = index - span.range.lowerBound }
    }
    return columns
  }
}
