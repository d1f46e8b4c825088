package import Failures
import Execution
import InputFiles
import Invariants
package import Scenario
import ScenarioChecking
import Shrinking
import SimulatedCoreData
import Vocabulary

/// A failure that a folder keeps, as one scenario file with a claim `shows  KIND`.
package struct RegressionCase {
  /// What became of it when it was replayed.
  package enum Status: Hashable {
    /// It fails as it did, and this scenario documents that, if any does.
    case fails(knownFailure: String?)
    /// It fails no more, and was moved there; nil if that could not be done.
    case passes(movedTo: String?)
    /// The stack of the campaign lacks what it is about.
    case isAboutAnotherStack
  }

  package internal(set) var path: String
  package let scenario: Scenario
  /// What it shows, or showed.
  package let kind: FailureKind
  /// Why, today. Nil if it shows nothing any more, and for a disagreement that no planted bug
  /// explains.
  package internal(set) var cause: Cause?
  package internal(set) var status = Status.fails(knownFailure: nil)
  let size: ProgramSize

  /// Choices that are not the first stand for preemptions, which only a run could count.
  static func size(of scenario: Scenario) -> ProgramSize {
    let program = Program(scenario)
    return ProgramSize(program, preemptionCount: program.schedule.count { $0 != 0 })
  }

  /// Throws if the file is none that a folder of failures can have.
  init(path: String) throws(InputError) {
    self.path = path
    scenario = try ScenarioFile.read(path: path)
    let kinds = scenario.claims.compactMap { claim -> FailureKind? in
      if case .shows(let kind) = claim.condition { kind } else { nil }
    }
    guard kinds.count == 1 else {
      throw InputError(
        file: path,
        message: "a kept failure has one claim 'shows  KIND', such as 'shows  lost update'; "
          + "this has \(kinds.isEmpty ? "none" : "\(kinds.count)")")
    }
    guard scenario.interleave != .every else {
      throw InputError(
        file: path, message: "a kept failure is one run; write 'interleave  choices', not 'every'")
    }
    kind = kinds[0]
    size = RegressionCase.size(of: scenario)
  }

  /// Its program; with a design, on the whole of that, nil if it is about what the design has not.
  func program(on design: Stack?) -> Program? {
    let program = Program(scenario)
    guard let design else { return program }
    return program.restored(to: design)
  }

  /// Whether `program` shows what this claims, under some schedule if it has one; then also notes
  /// why.
  mutating func stillFails(
    _ program: Program, on design: Stack?, bugs: PlantedBugSet
  ) -> Bool {
    var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    configuration.bugs = bugs
    configuration.checkLevel = .design
    configuration.stack = design
    var failing = program
    let runner = ProgramRunner(configuration)
    let failure = FailureSignature(kind)
    if !runner.run(program).fails(as: failure) {
      // With other observers the scheduler has other choices.
      var executions = 0
      guard design != nil,
        let other = program.failingSchedule(as: failure, by: runner, counting: &executions)
      else { return false }
      failing = other
    }
    cause = Attribution(configuration).cause(of: failure, in: failing)
    return true
  }
}

extension RegressionCase {
  package var identity: FailureIdentity { FailureIdentity(kind, cause) }
}

extension FailureReport {
  /// What a file that keeps it is called: its kind, and its cause if it has one.
  package var fileName: String {
    let name = cause.map {
      if case .quirk(let quirk) = $0 { quirk.name } else { hyphenated($0.text) }
    }
    return hyphenated(kind.name) + (name.map { "--" + $0 } ?? "")
  }

  private func hyphenated(_ text: String) -> String {
    text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
  }

  /// Its example as a file that can be read and run by itself.
  package func kept(as name: String) -> Scenario {
    var scenario = example
    scenario.name = name
    scenario.modelPath = nil
    scenario.claims = [Claim(.shows(kind))]
    var summary = kind.name.prefix(1).uppercased() + kind.name.dropFirst() + "."
    if let invariant { summary += " Violated: \(invariant.sentence)." }
    if let cause { summary += " Cause: \(cause.text)." }
    scenario.prose = wrapped(summary)
    if let details {
      scenario.prose += [""] + details.split(separator: "\n").map(String.init)
    }
    return scenario.withoutNeedlessQuirks()
  }

  /// Lines of at most 98 characters, broken at spaces.
  private func wrapped(_ text: String) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines.count - 1
      if lines[last].isEmpty {
        lines[last] = String(word)
      } else if lines[last].count + 1 + word.count <= 98 {
        lines[last] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
