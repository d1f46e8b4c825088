package import Determinism

/// A bug that a campaign found, with the number of its occurrences.
package struct Finding<Failure> {
  package let identity: String
  package private(set) var count: Int
  package private(set) var firstIndex: Int
  /// The position of the failure among the failures of the first case.
  package private(set) var firstPosition: Int
  package private(set) var firstSeed: UInt64
  /// The smallest case, or the earliest of several equally small cases. A shrinker starts from it.
  package private(set) var example: Example<Failure>

  package init(
    identity: String, count: Int, firstIndex: Int, firstPosition: Int, firstSeed: UInt64,
    example: Example<Failure>
  ) {
    self.identity = identity
    self.count = count
    self.firstIndex = firstIndex
    self.firstPosition = firstPosition
    self.firstSeed = firstSeed
    self.example = example
  }

  /// Returns a Boolean value that indicates whether a case of the given size and number is a better
  /// example than the current one.
  func isLarger(than size: Int, _ index: Int) -> Bool {
    (size, index) < (example.size, example.index)
  }

  /// Counts another case that shows the bug and is not a better example.
  mutating func count(index: Int, position: Int, seed: UInt64) {
    count += 1
    if index < firstIndex { (firstIndex, firstPosition, firstSeed) = (index, position, seed) }
  }

  mutating func merge(_ other: Finding) {
    precondition(other.identity == identity, "\(other.identity) is not \(identity)")
    count += other.count
    if other.firstIndex < firstIndex {
      (firstIndex, firstPosition) = (other.firstIndex, other.firstPosition)
      firstSeed = other.firstSeed
    }
    if isLarger(than: other.example.size, other.example.index) {
      example = other.example
    }
  }
}

/// A case that shows a bug.
package struct Example<Failure> {
  package let index: Int
  package let seed: UInt64
  package let recording: Choices.Recording
  package let failure: Failure
  /// The size of the recording in the order of simplicity.
  package let size: Int

  package init(index: Int, seed: UInt64, recording: Choices.Recording, failure: Failure) {
    self.index = index
    self.seed = seed
    self.recording = recording
    self.failure = failure
    size = recording.size
  }
}

extension Finding: Sendable where Failure: Sendable {}
extension Example: Sendable where Failure: Sendable {}
