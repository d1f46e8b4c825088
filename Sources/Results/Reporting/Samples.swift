/// The progress of a campaign over time, with few enough points to draw.
package struct Samples: Sendable {
  package struct Sample: Hashable, Sendable {
    /// The number of seconds since the campaign began.
    package var seconds: Double
    /// The number of runs up to this time. The other counts are cumulative as well.
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

  /// Keeps a sample if it is the last one, or if the sample before is old enough. If there are too
  /// many samples, drops every other one and doubles the interval.
  package mutating func note(_ sample: Sample, isLast: Bool = false) {
    if let last = all.last {
      if !isLast, sample.seconds < last.seconds + interval { return }
      if isLast, sample.runs == last.runs { all.removeLast() }
    }
    all.append(sample)
    guard all.count > Samples.limit else { return }
    all = all.indices.filter { $0.isMultiple(of: 2) }.map { all[$0] }
    interval *= 2
  }
}
