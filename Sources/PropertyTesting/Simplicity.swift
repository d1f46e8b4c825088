package import Determinism

/// The order of simplicity: of two failing recordings, which one a person would rather read.
///
/// 1. Fewer choices in total. Workload and shape count every draw, because every draw is a piece of
///    a program that must be read, also if it drew 0. Schedule and failures count up to the last
///    choice that is not 0: 0 there means that nothing special happens, which needs no reading. (If
///    all were counted, a simpler step after which lanes could switch more often would look worse.)
/// 2. Stream by stream, fewer choices, then lexicographically smaller. The workload comes first:
///    its steps are what is read first. Then the shape they ran on, then the interleaving, and the
///    injected failures, which are the most surprising, last.
///
/// The order is total on recordings without trailing zeros in schedule and failures, and has no
/// endless descent, so every shrink ends.
extension Choices.Recording {
  /// The streams in the order in which they are compared and shrunk.
  package static var readingOrder: [Choices.Stream] { [.workload, .shape, .schedule] }

  /// How much there is to read: the first criterion.
  package var size: Int {
    Self.readingOrder.reduce(0) { $0 + size(of: $1) }
  }

  /// Both must be what a run drew, not an edit of it: only then is a 0 that was drawn written down.
  package func isSimpler(than other: Self) -> Bool {
    let (size, otherSize) = (self.size, other.size)
    if size != otherSize { return size < otherSize }
    for stream in Self.readingOrder {
      let (count, otherCount) = (self.size(of: stream), other.size(of: stream))
      if count != otherCount { return count < otherCount }
      for index in 0..<count where self[stream][index] != other[stream][index] {
        return self[stream][index] < other[stream][index]
      }
    }
    return false
  }

  private func size(of stream: Choices.Stream) -> Int {
    switch stream {
    case .workload, .shape: self[stream].count
    case .schedule: Self.countWithoutTrailingZeros(self[stream])
    }
  }

  /// The same choices written as short as possible: an exhausted stream answers 0 by itself.
  package var trimmed: Self {
    var result = self
    for stream in Self.readingOrder {
      let count = Self.countWithoutTrailingZeros(self[stream])
      result[stream].removeSubrange(count...)
    }
    return result
  }

  /// A fingerprint of every choice; of equal ones if the recordings are equal.
  package var digest: Digest {
    var digest = Digest()
    for stream in streams {
      digest.feed(stream.count)
      for value in stream { digest.feed(UInt64(value)) }
    }
    return digest
  }

  private static func countWithoutTrailingZeros(_ values: [UInt32]) -> Int {
    (values.lastIndex { $0 != 0 } ?? -1) + 1
  }
}

extension Choices {
  /// The size of the recording, which need not be made for it.
  package var size: Int {
    position(in: .workload) + position(in: .shape) + positionAfterLast(in: .schedule)
  }
}
