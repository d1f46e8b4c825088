import Foundation

/// A quantity that was measured several times.
struct Figure: Encodable {
  var name: String
  var unit: String
  /// The values of the samples, in order of measurement.
  var samples: [Double]

  var median: Double {
    let sorted = samples.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  var least: Double { samples.min() ?? 0 }
  var greatest: Double { samples.max() ?? 0 }

  private enum Key: String, CodingKey { case name, unit, median, least, greatest, samples }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try container.encode(unit, forKey: .unit)
    try container.encode(median, forKey: .median)
    try container.encode(least, forKey: .least)
    try container.encode(greatest, forKey: .greatest)
    try container.encode(samples, forKey: .samples)
  }
}

/// The number and the duration of samples.
struct Sampling {
  /// The number of samples. A median of fewer than five samples says little.
  var count = 5
  /// The intended duration of a sample, in seconds.
  var seconds = 0.5

  /// Measures the rate of `work`, which does a given number of pieces and returns the number that
  /// it did. Unmeasured calls determine how many pieces a sample needs. Then `count` samples are
  /// taken.
  func rate(_ name: String, _ unit: String, _ work: (Int) -> Int) -> Figure {
    var pieces = 1
    var time = Sampling.seconds { _ = work(pieces) }
    while time < seconds / 10 {
      pieces *= 4
      time = Sampling.seconds { _ = work(pieces) }
    }
    pieces = max(1, Int(Double(pieces) * seconds / time))
    return Figure(
      name: name, unit: unit,
      samples: (0..<count).map { _ in
        var done = 0
        let time = Sampling.seconds { done = work(pieces) }
        return Double(done) / time
      })
  }

  /// Measures the duration of `work`, in milliseconds.
  func milliseconds(_ name: String, _ work: () -> Void) -> Figure {
    work()
    return Figure(
      name: name, unit: "ms",
      samples: (0..<count).map { _ in Sampling.seconds(work) * 1_000 })
  }

  static func seconds(_ work: () -> Void) -> Double {
    let time = ContinuousClock().measure(work)
    return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
  }
}

/// The anonymous memory of this process in bytes, or nil if the system does not report it.
var anonymousMemory: Int? {
  guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
    return nil
  }
  let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
  return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }.map { $0 * 1_024 }
}

/// The name of the processor, or nil if the system does not report it.
var processor: String? {
  guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return nil }
  let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
  return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
}
