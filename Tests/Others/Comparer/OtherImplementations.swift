import Determinism
import Execution
import Foundation
import Generation
import InputFiles
import ObjectModel
import Scenario
import SimulatedDispatch
import ScenarioChecking
import Vocabulary

/// Compares another implementation of Core Data with Faultline, program by program.
@main
struct OtherImplementations {
  private let arguments: Arguments
  private let comparison: Comparison
  private var programCount = 0
  private var stepCount = 0
  private var agreementCount = 0
  private var knownCount = 0
  private var findings: [Finding] = []

  static func main() {
    do {
      var run = try OtherImplementations(Arguments(Array(CommandLine.arguments.dropFirst())))
      try run.compareAll()
      exit(try run.report() ? 0 : 1)
    } catch let error as ComparisonError {
      print(error.message)
      exit(2)
    } catch {
      print("\(error)")
      exit(2)
    }
  }

  private init(_ arguments: Arguments) throws {
    self.arguments = arguments
    let adapter = AdapterProcess(path: arguments.adapter)
    var capabilities = try adapter.capabilities()
    capabilities.steps.subtract(arguments.without)
    capabilities.contextLimit = min(
      capabilities.contextLimit, arguments.contextLimit ?? capabilities.contextLimit)
    comparison = Comparison(
      adapter: adapter, capabilities: capabilities,
      known: try arguments.known.map { try KnownDifferences(path: $0) } ?? KnownDifferences())
  }

  private mutating func compareAll() throws {
    for path in try arguments.scenarios.flatMap({ try ScenarioFile.paths(below: $0) }) {
      let scenario = try ScenarioFile.read(path: path)
      let program = ComparableProgram(
        Program(scenario), quirks: scenario.quirkSet, comparison.capabilities)
      if let program { try compare(program, path) }
    }
    for path in arguments.models {
      let model = try ModelFile.read(path: path)
      for number in 0..<UInt64(arguments.seedCount) {
        let seed = arguments.firstSeed + number
        let program = ComparableProgram(
          program(ofSeed: seed, model), quirks: Profile.current.quirks, comparison.capabilities)
        if let program { try compare(program, "--model \(path) --seed \(seed) --seeds 1") }
      }
    }
  }

  /// Returns the program of a seed, which has only roots, and mostly steps that the adapter has.
  private func program(ofSeed seed: UInt64, _ model: ObjectModel) -> Program {
    let capabilities = comparison.capabilities
    var configuration = RunConfiguration(model: model, quirks: Profile.current.quirks)
    configuration.strategy = .only(.inOrder)
    configuration.steps = arguments.stepLimit
    configuration.limits.contextCount = capabilities.contextLimit
    configuration.limits.rootCount = capabilities.contextLimit
    configuration.limits.mergePolicies = capabilities.policies
    configuration.limits.allowsObservers = false
    configuration.comparesWithReference = false
    configuration.stepFilter.without = StepGenerator.Kind.allCases.filter { kind in
      guard let step = kind.stepKind else { return kind == .illegal }
      return !capabilities.steps.contains(step)
    }
    var choices = Choices(seed: seed)
    return ProgramRunner(configuration).runOnce(&choices).program
  }

  private mutating func compare(_ program: ComparableProgram, _ origin: String) throws {
    guard !program.program.steps.isEmpty else { return }
    programCount += 1
    stepCount += program.program.steps.count
    let differences = try comparison.differences(in: program)
    if differences.isEmpty { agreementCount += 1 }
    if !differences.isEmpty, differences.allSatisfy({ comparison.known[$0.kind] != nil }) {
      knownCount += 1
    }
    var counted: Set<String> = []
    for difference in differences where counted.insert(difference.kind).inserted {
      if let index = findings.firstIndex(where: { $0.kind == difference.kind }) {
        findings[index].count += 1
        continue
      }
      let (smallest, last) = try comparison.reduced(program, difference)
      findings.append(
        Finding(kind: difference.kind, origin: origin, program: smallest, difference: last))
    }
  }

  /// Prints the kinds of differences, unknown ones first. Returns true if all are known.
  private func report() throws -> Bool {
    print(
      "\(comparison.capabilities.name): \(programCount) programs, \(stepCount) steps; "
        + "\(agreementCount) agree in all, \(knownCount) but for known differences, "
        + "\(programCount - agreementCount - knownCount) not")
    let sorted = findings.sorted { a, b in
      let isNew = comparison.known[a.kind] == nil
      if isNew != (comparison.known[b.kind] == nil) { return isNew }
      return (b.count, a.kind) < (a.count, b.kind)
    }
    for (number, finding) in sorted.enumerated() {
      let verdict = comparison.known[finding.kind]?.verdict ?? "NEW"
      print("\n\(number + 1). \(finding.kind)\n  \(verdict); \(finding.count) programs")
      print("  first: \(finding.origin)")
      for line in finding.text { print(line) }
      guard let folder = arguments.folder else { continue }
      let name = "difference-\(number + 1)"
      try ScenarioFile.write(finding.scenario(named: name), to: "\(folder)/\(name).scenario")
    }
    return findings.allSatisfy { comparison.known[$0.kind] != nil }
  }
}
