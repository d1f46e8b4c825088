import Campaigns
import Foundation
import InputFiles
import Prose
import Reporting
import ScenarioChecking
import SimulatedDispatch
import Vocabulary

/// What was measured, as tables, JSON and a picture.
struct Results: Encodable {
  var system: String
  var coreCount: Int
  /// By part, in the order in which they were measured.
  var sections: [Section] = []
  /// Kinds of steps that came too rarely to say how long they take.
  var rareKinds: [String] = []
  /// Under the default configuration; nil if that was not measured.
  var programsPerSecond: Double?
  var curves: [Curve] = []

  struct Section: Encodable {
    var title: String
    var figures: [Figure] = []
  }

  var figures: [Figure] { sections.flatMap(\.figures) }

  /// Measures, and prints each as soon as it is known.
  init(of parts: [Bench.Part], _ sampling: Sampling, isQuick: Bool) throws {
    system =
      ([ProcessInfo.processInfo.operatingSystemVersionString] + [processor].compactMap(\.self))
      .joined(separator: ", ")
    coreCount = ProcessInfo.processInfo.activeProcessorCount
    for part in parts {
      print(Results.title(of: part))
      if part != .growth { sections.append(Section(title: Results.title(of: part))) }
      switch part {
      case .steps:
        let steps = CoreDataSteps(models: try Results.models())
        let stepsOfAProgram = Double(steps.run(.current, programs: 400)) / 400
        for profile in Profile.allCases {
          note(
            sampling.rate("profile \(profile.rawValue)", "steps/s") {
              steps.run(profile, programs: $0)
            })
          if profile == .current, let rate = figures.last?.median {
            programsPerSecond = rate / stepsOfAProgram
          }
        }
      case .kinds:
        let steps = CoreDataSteps(models: try Results.models())
        let times = steps.timeByKind(programs: isQuick ? 60 : 3_000, samples: sampling.count)
        for figure in times.figures { note(figure) }
        rareKinds = times.rare
        if !rareKinds.isEmpty {
          print("  too rare to be measured: \(rareKinds.joined(separator: ", "))")
        }
      case .small:
        note(
          sampling.rate("16 keys, two levels, made of arrays", "steps/s") {
            WorkloadS.run(ArrayOverlay(), cases: $0)
          })
        note(
          sampling.rate("the same, made of dictionaries", "steps/s") {
            WorkloadS.run(DictionaryOverlay(), cases: $0)
          })
      case .schedules:
        for policy in [SchedulingPolicy.random, .pct] {
          note(
            sampling.rate("4 lanes of 25 turns, \(policy.rawValue)", "schedules/s") {
              Schedules.run(policy, count: $0)
            })
        }
      case .shrinking:
        let shrinking = try Shrinking(programs: isQuick ? 40 : 400)
        let whole = sampling.milliseconds("") { _ = shrinking.run() }
        note(
          Figure(
            name: "a failure, of \(shrinking.count) kinds", unit: "ms",
            samples: whole.samples.map { $0 / Double(shrinking.count) }))
      case .start: try measureStart(sampling)
      case .jobs:
        let steps = CoreDataSteps(models: try Results.models())
        let programs = isQuick ? 200 : 3_000
        let jobs = Array(Set([1, 2, coreCount])).sorted().filter { $0 <= coreCount }
        // By turns, for machines are faster now and slower then.
        var rates = jobs.map { _ in [Double]() }
        for _ in 0..<sampling.count {
          for index in jobs.indices {
            var done = 0
            let time = Sampling.seconds {
              done = steps.run(.current, programs: programs, jobs: jobs[index])
            }
            rates[index].append(Double(done) / time)
          }
        }
        for (jobs, rates) in zip(jobs, rates) {
          note(
            Figure(
              name: "\(jobs) thread\(jobs == 1 ? "" : "s")", unit: "steps/s", samples: rates))
        }
        for (jobs, rate) in zip(jobs, rates).dropFirst() {
          note(
            Figure(
              name: "\(jobs) threads beside one", unit: "times as many",
              samples: zip(rate, rates[0]).map { $0 / $1 }))
        }
      case .growth:
        for curve in Growth.curves(sampling, isQuick: isQuick) {
          curves.append(curve)
          print("  \(curve.title)")
          for point in curve.points {
            print(
              "    " + column(grouped(point.x) + " " + curve.xName, 24)
                + Results.text(point.time)
                + (point.memory.map {
                  ", \(Results.number($0.median)) \(curve.memoryName)"
                    + " (\(Results.number($0.least)) … \(Results.number($0.greatest)))"
                } ?? ""))
          }
        }
      }
    }
  }

  static func title(of part: Bench.Part) -> String {
    switch part {
    case .steps: "Core Data steps, generated, run, compared and checked, on one core"
    case .kinds: "a step of each kind, with all that is checked after it"
    case .small: "the small state machine of Tests/Peers"
    case .schedules: "recorded schedules"
    case .shrinking: "making small, certifying and explaining"
    case .start: "starting"
    case .jobs: "threads"
    case .growth: "growth"
    }
  }

  private mutating func note(_ figure: Figure) {
    sections[sections.count - 1].figures.append(figure)
    print("  " + column(figure.name, 38) + Results.text(figure))
  }

  /// `12,300 steps/s (12,100 … 12,400)`
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

  private func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private mutating func measureStart(_ sampling: Sampling) throws {
    let tool = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
      "faultline")
    if let tool, FileManager.default.isExecutableFile(atPath: tool.path) {
      note(
        sampling.milliseconds("the tool, until it has said its version") {
          let process = Process()
          process.executableURL = tool
          process.arguments = ["--version"]
          process.standardOutput = FileHandle.nullDevice
          // Not `waitUntilExit`, which looks every 50 ms.
          let hasEnded = DispatchSemaphore(value: 0)
          process.terminationHandler = { _ in hasEnded.signal() }
          if (try? process.run()) != nil { hasEnded.wait() }
        })
    }
    let paths = try Results.modelPaths()
    note(
      sampling.milliseconds("reading the \(paths.count) models of Fixtures") {
        for path in paths { _ = try? ModelFile.read(path: path) }
      })
    let scenarios = try ScenarioFile.paths(below: "Scenarios").map {
      try ScenarioFile.read(path: $0)
    }
    note(
      sampling.milliseconds("checking \(scenarios.count) scenarios") {
        for scenario in scenarios { _ = ScenarioCheck(scenario) }
      })
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

  /// Those that a campaign has unless it is told otherwise.
  static func models() throws -> [ModelSource] {
    try modelPaths().map { .file(path: $0, try ModelFile.read(path: $0)) } + [.generated]
  }
}

// MARK: Files

extension Results {
  /// `bench.json`, and, if growth was measured, `growth.svg`.
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
