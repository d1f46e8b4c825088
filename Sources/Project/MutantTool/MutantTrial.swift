import Foundation

/// Tries one mutant in several stages, until a stage kills it.
struct MutantTrial {
  /// A command whose exit code is 0 unless it notices the mutant.
  struct Stage {
    let name: String
    let arguments: [String]
    /// The time limit in seconds. A mutant that exceeds it counts as killed.
    let limit: Double
    /// A Boolean value that indicates whether the command is the test bundle, rather than the tool.
    var isTests = false
  }

  enum Outcome: Equatable {
    case alive
    /// A stage killed the mutant. `detail` is the number of the program that noticed it, or how the
    /// process ended.
    case killed(stage: String, detail: String)
  }

  let mutant: Mutant
  private let stages: [Stage]
  private let folder: URL
  private var index = 0
  private var process: Process?
  private var deadline = Date.distantFuture
  private(set) var outcome: Outcome?

  init(_ mutant: Mutant, _ stages: [Stage], folder: URL) {
    self.mutant = mutant
    self.stages = stages
    self.folder = folder
  }

  private var output: URL { folder.appendingPathComponent("output-\(mutant.number).txt") }

  /// Starts the next stage if the process has ended or exceeded its time limit.
  mutating func advance() throws {
    guard outcome == nil else { return }
    if let process {
      if process.isRunning {
        guard Date() > deadline else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return end(.killed(stage: stages[index].name, detail: "time"))
      }
      if process.terminationReason == .uncaughtSignal || process.terminationStatus != 0 {
        return end(.killed(stage: stages[index].name, detail: detail(of: process)))
      }
      index += 1
    }
    guard index < stages.count else { return end(.alive) }
    try start(stages[index])
  }

  private mutating func end(_ outcome: Outcome) {
    self.outcome = outcome
    process = nil
    try? FileManager.default.removeItem(at: output)
  }

  private mutating func start(_ stage: Stage) throws {
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    let file = try FileHandle(forWritingTo: output)
    let process = Process()
    let products = folder.appendingPathComponent(".build/release")
    process.executableURL = products.appendingPathComponent(
      stage.isTests ? "FaultlinePackageTests.xctest" : "faultline")
    process.arguments = stage.arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["FAULTLINE_MUTANT": String(mutant.number)]) { $1 }
    process.standardOutput = file
    process.standardError = FileHandle.nullDevice
    try process.run()
    try file.close()
    self.process = process
    deadline = Date(timeIntervalSinceNow: stage.limit)
  }

  private func detail(of process: Process) -> String {
    if process.terminationReason == .uncaughtSignal { return "trap" }
    guard let data = try? Data(contentsOf: output),
      let report = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { return "exit code \(process.terminationStatus)" }
    let failures = ["disagreements", "violations", "misuses"].flatMap {
      report[$0] as? [[String: Any]] ?? []
    }
    let runs = failures.filter { $0["standing"] as? String == "new" }.compactMap {
      $0["firstRun"] as? Int
    }
    return runs.min().map { "program \($0)" } ?? "exit code \(process.terminationStatus)"
  }
}
