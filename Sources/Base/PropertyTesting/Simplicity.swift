package import Determinism

/// The order of simplicity, which decides which of two failing recordings is easier to read.
///
/// 1. Fewer choices in total. In the workload and the shape every draw counts, even if it drew 0,
///    because every draw is a piece of a program to read. The schedule counts up to its last choice
///    that is not 0, because 0 means that nothing special happens. If its trailing zeros counted, a
///    simpler step with more opportunities to switch lanes would look worse.
/// 2. Stream by stream, fewer choices, then lexicographically smaller choices. The workload comes
///    first, because its steps are read first. The shape follows, and then the interleaving.
///
/// The order is total on recordings without trailing zeros in the schedule, and has no infinite
/// descent, so every shrink ends.
extension Choices.Recording {
  /// The streams in the order in which they are compared and shrunk.
  package static var readingOrder: [Choices.Stream] { [.workload, .shape, .schedule] }

  /// The number of choices to read, which is the first criterion of the order.
  package var size: Int {
    Self.readingOrder.reduce(0) { $0 + size(of: $1) }
  }

  /// Returns a Boolean value that indicates whether this recording is simpler than `other`.
  ///
  /// Both recordings must be the choices that a run drew. An edit may lack zeros that its run
  /// draws.
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

  /// The recording without trailing zeros. A replay is the same, because an exhausted stream
  /// supplies zeros.
  package var trimmed: Self {
    var result = self
    for stream in Self.readingOrder {
      let count = Self.countWithoutTrailingZeros(self[stream])
      result[stream].removeSubrange(count...)
    }
    return result
  }

  /// A fingerprint of every choice. Equal recordings have equal fingerprints.
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
  /// The size of the recording, computed without making the recording.
  package var size: Int {
    position(in: .workload) + position(in: .shape) + positionAfterLast(in: .schedule)
  }
}
