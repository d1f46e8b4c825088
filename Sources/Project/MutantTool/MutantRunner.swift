import Determinism
import Foundation

/// Draws mutants, tries them, and prints the result of each.
package struct MutantRunner {
  private let tree: URL
  private var count = 200
  private var draw: UInt64 = 1
  private var only: Set<Int>?
  private var files: [String] = []
  private var runs = 5_000
  private var seed = "1"
  private var hasScenarios = false
  private var hasTests = false
  private var jobs = 2

  init(_ tree: URL, _ words: [String]) throws {
    self.tree = tree
    var words = words[...]
    while let option = words.popFirst() {
      if option == "--scenarios" {
        hasScenarios = true
        continue
      }
      if option == "--tests" {
        hasTests = true
        continue
      }
      guard let value = words.popFirst() else {
        throw MutantError.arguments("\(option) needs a value")
      }
      switch option {
      case "--count": count = try MutantRunner.number(value)
      case "--draw": draw = UInt64(try MutantRunner.number(value))
      case "--only": only = Set(try value.split(separator: ",").map { try Self.number(String($0)) })
      case "--files": files.append(value)
      case "--runs": runs = try MutantRunner.number(value)
      case "--seed": seed = value
      case "--jobs": jobs = try MutantRunner.number(value)
      default: throw MutantError.arguments("unknown option \(option)")
      }
    }
  }

  private static func number(_ text: String) throws -> Int {
    guard let number = Int(text), number >= 0 else {
      throw MutantError.arguments("\(text) is not a number")
    }
    return number
  }

  /// Draws mutants from each file in turn, until `count` are drawn. A short file contributes as
  /// many as a long one.
  package static func drawn(_ count: Int, from mutants: [Mutant], seed: UInt64) -> [Mutant] {
    var generator = Generator(seed: seed)
    var piles: [[Mutant]] = []
    for mutant in mutants {
      if piles.last?.first?.path == mutant.path {
        piles[piles.count - 1].append(mutant)
      } else {
        piles.append([mutant])
      }
    }
    var drawn: [Mutant] = []
    while drawn.count < count, piles.contains(where: { !$0.isEmpty }) {
      for index in piles.indices where !piles[index].isEmpty && drawn.count < count {
        drawn.append(piles[index].remove(at: generator.next(below: piles[index].count)))
      }
    }
    return drawn.sorted { $0.number < $1.number }
  }

  private var stages: [MutantTrial.Stage] {
    let fuzz = ["fuzz", "--seed", seed, "--failures", "none", "--format", "json", "--runs"]
    // Most mutants are killed early. A short campaign need not shrink every failure of a long one.
    var stages: [MutantTrial.Stage] = []
    for number in [50, 500, runs] where number <= runs && number > 0 {
      stages.append(.init(name: "campaign", arguments: fuzz + [String(number)], limit: 240))
    }
    if hasScenarios {
      stages.append(
        .init(name: "scenarios", arguments: ["scenario", "check", "Scenarios"], limit: 240))
      stages.append(
        .init(name: "stacks", arguments: ["stacks", "--runs", "300", "--seed", seed], limit: 480))
    }
    if hasTests {
      let filters = MutantRunner.suites.flatMap { ["--filter", $0] }
      stages.append(
        .init(
          name: "tests",
          arguments: ["--testing-library", "swift-testing"] + filters, limit: 480, isTests: true))
    }
    return stages
  }

  /// The suites that test parts that campaigns do not compare: footprints, fingerprints and
  /// evidence.
  private static let suites = ["SimulatedCoreDataTests", "SimulatedDispatchTests", "Pruning"]

  func run() throws {
    let all = try MutantTree.read(tree).filter { mutant in
      files.isEmpty || files.contains { mutant.path.contains($0) }
    }
    let mutants =
      only.map { only in all.filter { only.contains($0.number) } }
      ?? MutantRunner.drawn(count, from: all, seed: draw)
    var waiting = mutants.map {
      MutantTrial($0, stages, folder: tree)
    }[...]
    var running: [MutantTrial] = []
    var ended: [MutantTrial] = []
    while !waiting.isEmpty || !running.isEmpty {
      while running.count < jobs, let next = waiting.popFirst() { running.append(next) }
      for index in running.indices { try running[index].advance() }
      for trial in running where trial.outcome != nil {
        MutantRunner.say(MutantRunner.line(of: trial))
        ended.append(trial)
      }
      running.removeAll { $0.outcome != nil }
      Thread.sleep(forTimeInterval: 0.01)
    }
    MutantRunner.say(MutantRunner.table(of: ended))
  }

  /// Writes a line at once, whereas `print` buffers if the output is a file.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func line(of trial: MutantTrial) -> String {
    switch trial.outcome {
    case .killed(let stage, let detail): "\(trial.mutant.description)\t\(stage)\t\(detail)"
    case .alive, nil: "\(trial.mutant.description)\talive\t"
    }
  }

  /// Returns a line for each file, and the sums.
  static func table(of trials: [MutantTrial]) -> String {
    var lines = ["", "file\tmutants\tcampaign\tother\talive"]
    let paths = Set(trials.map(\.mutant.path)).sorted()
    for path in paths + ["all"] {
      let some = trials.filter { path == "all" || $0.mutant.path == path }
      let alive = some.filter { $0.outcome == .alive }.count
      let byCampaign = some.filter {
        if case .killed("campaign", _) = $0.outcome { true } else { false }
      }.count
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let others = some.count - alive - byCampaign
      lines.append("\(name)\t\(some.count)\t\(byCampaign)\t\(others)\t\(alive)")
    }
    return lines.joined(separator: "\n")
  }
}
