package import Determinism

/// What tests and users draw: values whose simplest form is drawn as 0, and structures that stay
/// whole when a shrinker deletes a part.
extension Choices {
  /// A number of `range`; the simplest is the one nearest to 0, then 1, -1, 2, -2 and so on from
  /// it.
  ///
  /// Ranges of more than 2³²-1 numbers, up to 2⁶², take two draws, the upper half first.
  package mutating func integer(in range: ClosedRange<Int>, from stream: Stream) -> Int {
    let distance = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound))
    guard distance >= UInt64(UInt32.max) else {
      return zigZag(UInt64(draw(below: Int(distance) + 1, from: stream)), in: range)
    }
    precondition(distance < 1 << 62, "\(range) has more than 2⁶² numbers")
    let upper = UInt64(draw(below: Int(distance >> 31) + 1, from: stream))
    let lower = UInt64(draw(below: 1 << 31, from: stream))
    return zigZag(min(upper << 31 | lower, distance), in: range)
  }

  /// The number at `index` of the simplest-first order of `range`.
  private func zigZag(_ index: UInt64, in range: ClosedRange<Int>) -> Int {
    let origin = min(max(0, range.lowerBound), range.upperBound)
    let above = UInt64(bitPattern: Int64(range.upperBound &- origin))
    let below = UInt64(bitPattern: Int64(origin &- range.lowerBound))
    let shared = min(above, below)
    if index > 2 * shared {
      // One side is used up: the rest lies on the other.
      let offset = Int(bitPattern: UInt(index - shared))
      return above > below ? origin &+ offset : origin &- offset
    }
    let offset = Int(bitPattern: UInt((index + 1) / 2))
    return index % 2 == 1 ? origin + offset : origin - offset
  }

  /// True or false, equally likely; false is the simplest.
  package mutating func boolean(from stream: Stream) -> Bool { chance(1, in: 2, from: stream) }

  /// One of `alternatives`; the first is the simplest.
  package mutating func pick<Element>(_ alternatives: [Element], from stream: Stream) -> Element {
    alternatives[draw(below: alternatives.count, from: stream)]
  }

  /// At most `limit` elements, `mean` on average if the limit is far away; none is the simplest.
  ///
  /// Before each element a choice says whether there is one: a length at the front would have to
  /// change with every deletion. The choice and its element are one span. At the limit the choice
  /// is made too, among one alternative, so that deleting an element does not shift what follows.
  package mutating func list<Element>(
    upTo limit: Int, mean: Int, from stream: Stream, element: (inout Choices) -> Element
  ) -> [Element] {
    span(in: stream) { choices in
      var elements: [Element] = []
      while let next = choices.next(
        after: elements.count, of: limit, mean: mean, from: stream, element)
      {
        elements.append(next)
      }
      return elements
    }
  }

  private mutating func next<Element>(
    after count: Int, of limit: Int, mean: Int, from stream: Stream,
    _ element: (inout Choices) -> Element
  ) -> Element? {
    span(in: stream) { choices in
      let goesOn = choices.draw(below: count < limit ? mean + 1 : 1, from: stream) > 0
      return goesOn ? element(&choices) : nil
    }
  }
}
