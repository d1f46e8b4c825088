/// How a campaign went on over time, as few enough points to be drawn.
package struct Samples: Sendable {
  package struct Sample: Hashable, Sendable {
    /// Since the campaign began.
    package var seconds: Double
    /// Up to then.
    package var runs: Int
    package var steps: Int
    package var states: Int
    package var kinds: Int

    package init(seconds: Double, runs: Int, steps: Int, states: Int, kinds: Int) {
      self.seconds = seconds
      self.runs = runs
      self.steps = steps
      self.states = states
      self.kinds = kinds
    }
  }

  package private(set) var all: [Sample] = []
  private var interval = 0.05
  private static let limit = 400

  package init() {}

  /// Keeps a sample if the last is old enough. When there are many, every other goes, and the next
  /// are kept half as often.
  package mutating func note(_ sample: Sample) {
    if let last = all.last, sample.seconds < last.seconds + interval { return }
    all.append(sample)
    guard all.count > Samples.limit else { return }
    all = all.indices.filter { $0.isMultiple(of: 2) }.map { all[$0] }
    interval *= 2
  }
}
