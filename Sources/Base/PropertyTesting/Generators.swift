package import Determinism

/// Generators for tests and users. The simplest value is drawn as 0, and structures stay valid when
/// a shrinker deletes a part of them.
extension Choices {
  /// Returns a number in `range`. The simplest number is the one nearest to 0, followed by the
  /// numbers at distances 1, -1, 2, -2 and so on from it.
  ///
  /// A range of more than 2³²-1 numbers takes two draws, the upper half first. The limit is 2⁶²
  /// numbers.
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

  /// Returns the number at `index` in the simplest-first order of `range`.
  private func zigZag(_ index: UInt64, in range: ClosedRange<Int>) -> Int {
    let origin = min(max(0, range.lowerBound), range.upperBound)
    let above = UInt64(bitPattern: Int64(range.upperBound &- origin))
    let below = UInt64(bitPattern: Int64(origin &- range.lowerBound))
    let shared = min(above, below)
    if index > 2 * shared {
      // All numbers on one side of the origin are used up. The remaining numbers lie on the other
      // side.
      let offset = Int(bitPattern: UInt(index - shared))
      return above > below ? origin &+ offset : origin &- offset
    }
    let offset = Int(bitPattern: UInt((index + 1) / 2))
    return index % 2 == 1 ? origin + offset : origin - offset
  }

  /// Returns true or false with equal probability. False is the simplest value.
  package mutating func boolean(from stream: Stream) -> Bool { chance(1, in: 2, from: stream) }

  /// Returns one of `alternatives`. The first alternative is the simplest.
  package mutating func pick<Element>(_ alternatives: [Element], from stream: Stream) -> Element {
    alternatives[draw(below: alternatives.count, from: stream)]
  }

  /// Returns a list of at most `limit` elements, with about `mean` elements if the limit is much
  /// larger. The empty list is the simplest.
  ///
  /// A choice before each element decides whether the list continues, because a count at the front
  /// would have to change with every deletion. The choice and its element form one span. The choice
  /// is also drawn at the limit, with a single alternative, so that deleting an element does not
  /// shift the draws after the list.
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
