import Campaigns
import Foundation
import InputFiles
import Prose
import Reporting

/// The results of the measurements, as tables, JSON and a picture.
struct Results: Encodable {
  var system: String
  var coreCount: Int
  /// The figures of each part, in order of measurement.
  var sections: [Section] = []
  /// The kinds of steps that occurred too rarely to measure their time.
  var rareKinds: [String] = []
  /// The programs per second under the default configuration, or nil if they were not measured.
  var programsPerSecond: Double?
  var curves: [Curve] = []

  struct Section: Encodable {
    var title: String
    var figures: [Figure] = []
  }

  var figures: [Figure] { sections.flatMap(\.figures) }

  /// Measures the parts, and prints each figure as soon as it is known.
  init(of parts: [Bench.Part], _ sampling: Sampling, isQuick: Bool) throws {
    system =
      ([ProcessInfo.processInfo.operatingSystemVersionString] + [processor].compactMap(\.self))
      .joined(separator: ", ")
    coreCount = ProcessInfo.processInfo.activeProcessorCount
    for part in parts {
      print(Results.title(of: part))
      if part != .growth { sections.append(Section(title: Results.title(of: part))) }
      try measure(part, sampling, isQuick: isQuick)
    }
  }

  static func title(of part: Bench.Part) -> String {
    switch part {
    case .verdict: "time to verdict, on one core"
    case .steps: "Core Data steps, generated, run, compared and checked, on one core"
    case .kinds: "a step of each kind, with the checks after it"
    case .small: "the small state machine of Tests/Peers"
    case .schedules: "recorded schedules"
    case .shrinking: "shrinking, certifying and explaining"
    case .start: "starting"
    case .jobs: "threads"
    case .code: "an app's own code, on one core"
    case .growth: "growth"
    }
  }

  mutating func note(_ figure: Figure) {
    sections[sections.count - 1].figures.append(figure)
    print("  " + column(figure.name, 38) + Results.text(figure))
  }

  /// Returns a figure as text, such as `12,300 steps/s (12,100 … 12,400)`.
  static func text(_ figure: Figure) -> String {
    return
      "\(number(figure.median)) \(figure.unit) (\(number(figure.least)) … \(number(figure.greatest)))"
  }

  static func number(_ value: Double) -> String {
    if value >= 100 { return grouped(Int(value.rounded())) }
    let hundredths = Int((value * 100).rounded())
    let rest = "\(hundredths % 100)"
    return "\(hundredths / 100).\(rest.count < 2 ? "0" + rest : rest)"
  }

  func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  // MARK: What is measured on

  static func modelPaths() throws -> [String] {
    let folder = "Fixtures/Models"
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        .filter { $0.hasSuffix(".model") || $0.hasSuffix(".xcdatamodeld") }
        .map { "\(folder)/\($0)" }
    } catch {
      throw InputError(file: folder, message: "cannot be read; run this in a checkout's folder")
    }
  }

  /// Returns the models that a campaign uses by default.
  static func models() throws -> [ModelSource] {
    try modelPaths().map { .file(path: $0, try ModelFile.read(path: $0)) } + [.generated]
  }
}

// MARK: Files

extension Results {
  /// Writes `bench.json` and, if growth was measured, `growth.svg`.
  func write(to folder: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    try TextFile.write(json, to: "\(folder)/bench.json")
    if !curves.isEmpty {
      try TextFile.write(GrowthPlot(curves: curves).svg, to: "\(folder)/growth.svg")
    }
  }
}
