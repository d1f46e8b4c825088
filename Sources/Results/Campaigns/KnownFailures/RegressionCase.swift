import Diagnosis
package import Execution
package import Failures
package import InputFiles
package import ObjectModel
import Invariants
import Prose
package import Scenario
import ScenarioChecking
import Shrinking
import SimulatedCoreData
package import Vocabulary

/// A failure that a folder keeps as a scenario file with one claim `shows  KIND`.
package struct RegressionCase {
  /// The result of replaying a kept failure.
  package enum Status: Hashable {
    /// The program still fails. `precedent` is the path of a scenario that shows the same failure.
    case fails(Standing, precedent: String?)
    /// The program no longer fails. The file was moved to the given path, or could not be moved if
    /// the path is nil.
    case passes(movedTo: String?)
    /// The program takes steps that the stack of the campaign no longer allows. The file was moved
    /// to the given path, or could not be moved if the path is nil.
    case isRuledOut(movedTo: String?)
    /// The stack of the campaign lacks a part that the program uses.
    case isAboutAnotherStack
    /// The campaign does not count the failure, because its options leave it out or it is misuse.
    case isLeftOut
  }

  package internal(set) var path: String
  package private(set) var scenario: Scenario
  /// The kind of failure that the file claims.
  package let kind: FailureKind
  /// The cause of the failure in the latest replay. Nil if the program no longer fails, and for a
  /// disagreement that no planted bug explains.
  package internal(set) var cause: Cause?
  /// The part of the design that is necessary for the failure, if any.
  package internal(set) var part: DesignPart?
  /// The role of the context that shows the failure.
  private(set) var role: ContextRole?
  /// The ways in which the objects of the example were changed, if recorded.
  private(set) var ways: ChangeWays?
  /// The promise or the error of the failure.
  private(set) var subject: FailureSubject?
  package internal(set) var status = Status.fails(.new, precedent: nil)
  /// A Boolean value that indicates whether the campaign found the failure again.
  package internal(set) var isFoundAgain = false
  /// The duration of the replay in seconds. Nil without a clock.
  package internal(set) var seconds: Double?
  let size: ProgramSize

  /// Returns the size of the scenario's program. Nonzero choices of the schedule count as
  /// preemptions, because only a run could count the real preemptions.
  static func size(of scenario: Scenario) -> ProgramSize {
    let program = Program(scenario)
    return ProgramSize(program, preemptionCount: program.schedule.count { $0 != 0 })
  }

  /// Reads a kept failure.
  ///
  /// - Throws: An error if the file is not a valid file of a folder of failures.
  package init(path: String) throws(InputError) {
    self.path = path
    scenario = try ScenarioFile.read(path: path)
    let kinds = scenario.claims.compactMap { claim -> FailureKind? in
      if case .shows(let kind) = claim.condition { kind } else { nil }
    }
    guard kinds.count == 1 else {
      throw InputError(
        file: path,
        message: "a kept failure has one claim 'shows  KIND', such as 'shows  lost update'; "
          + "this file has \(kinds.isEmpty ? "none" : "\(kinds.count)")")
    }
    guard scenario.interleave != .every else {
      throw InputError(
        file: path, message: "a kept failure is one run; write 'interleave  choices', not 'every'")
    }
    kind = kinds[0]
    size = RegressionCase.size(of: scenario)
  }

  /// Reads the scenario again with another model, for example one with a new uniqueness constraint.
  ///
  /// - Throws: An error if the model lacks something that the scenario names.
  package mutating func adopt(_ model: ObjectModel) throws(TextError) {
    var current = scenario
    current.modelPath = "current"
    scenario = try ScenarioText.parse(ScenarioText.print(current)) { _ in .success(model) }
    scenario.modelPath = nil
  }

  /// The result of a kept program on a stack.
  package enum Verdict {
    /// The program fails as its file claims, under some schedule.
    case fails(Program)
    case passes
    /// The program takes steps that the stack does not allow.
    case isRuledOut
    /// The stack lacks a part that the program uses.
    case isAboutAnotherStack
  }

  /// Runs the program on the whole of `design` if given, otherwise on the stack of the file. If the
  /// program fails, records the cause of the failure.
  package mutating func verdict(on design: Stack?, bugs: PlantedBugSet) -> Verdict {
    guard let program = program(on: design), hasPromises(design) else {
      return .isAboutAnotherStack
    }
    if isRuledOut(program, by: design) { return .isRuledOut }
    return failing(program, on: design, bugs: bugs).map { .fails($0) } ?? .passes
  }

  /// Returns a Boolean value that indicates whether `design` has the promises of the example. A
  /// stack without a promise cannot break it.
  private func hasPromises(_ design: Stack?) -> Bool {
    guard let design else { return true }
    func promises(of stack: Stack) -> Set<String> {
      Set(stack.promiseTexts)
    }
    return promises(of: scenario.stack).isSubset(of: promises(of: design))
  }

  /// Returns the program of the scenario, restored to the whole of `design` if given. Returns nil
  /// if the program uses parts that the design lacks.
  private func program(on design: Stack?) -> Program? {
    let program = Program(scenario)
    guard let design else { return program }
    return program.restored(to: design)
  }

  /// Returns a Boolean value that indicates whether `program` takes more disallowed steps on the
  /// whole design than when it was kept. Such steps use hidden contexts, for example, or give up a
  /// permanent context.
  ///
  /// Campaigns no longer generate such a program.
  private func isRuledOut(_ program: Program, by design: Stack?) -> Bool {
    guard let design else { return false }
    let own = Program(scenario)
    return own.stack.trespassCount(of: own, in: own.stack)
      < program.stack.trespassCount(of: program, in: design)
  }

  /// Returns `program` with a schedule that shows the claimed failure on a design. Returns nil if
  /// no schedule does.
  private mutating func failing(
    _ program: Program, on design: Stack?, bugs: PlantedBugSet
  ) -> Program? {
    var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    configuration.bugs = bugs
    configuration.checkLevel = .design
    configuration.stack = design
    var failing = program
    let runner = ProgramRunner(configuration)
    let failure = FailureSignature(kind)
    if !runner.run(program).fails(as: failure) {
      // The scheduler has different choices if the observers have changed.
      var executions = 0
      guard design != nil,
        let other = program.failingSchedule(as: failure, by: runner, counting: &executions)
      else { return nil }
      failing = other
    }
    // Prefer the kept program on its own parts of the stack, because a campaign reports that.
    let own = Program(scenario)
    let attributed = runner.run(own).fails(as: failure) ? own : failing
    let shown = runner.run(attributed).failures.first { $0.kind == kind } ?? failure
    let experiment = Experiment(of: shown, in: attributed, configuration)
    cause = experiment.cause
    part = experiment.part(for: cause)
    role = shown.detail?.role
    ways = shown.detail?.ways
    subject = shown.detail?.subject
    return failing
  }
}

extension RegressionCase {
  package var identity: FailureIdentity { FailureIdentity(kind, cause) }

  /// The path of the scenario that shows the same failure.
  package var precedent: String? {
    if case .fails(_, let path) = status { path } else { nil }
  }

  private var blame: Blame { Blame(identity, part: part, role: role, ways: ways, subject: subject) }

  package var group: FailureGroup { blame.group }

  func isSameBug(as failure: FailureReport) -> Bool {
    if kind == failure.kind, Program(scenario) == Program(failure.kept(as: scenario.name)) {
      return true
    }
    return blame.key == failure.blame.key
  }

  /// The effect of the failure on the result of the campaign. A program that no longer fails has
  /// none.
  package var standing: Standing {
    if case .fails(let standing, _) = status { standing } else { .allowed }
  }
}

extension FailureReport {
  /// The name of a file that keeps the failure, such as `lost-update`.
  package var fileName: String {
    kind.name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
  }

  /// Returns the example as a scenario that can be read and run by itself.
  package func kept(as name: String) -> Scenario {
    var scenario = example
    scenario.name = name
    scenario.modelPath = nil
    scenario.claims = [Claim(.shows(kind))]
    var summary = kind.name.prefix(1).uppercased() + kind.name.dropFirst() + "."
    if let invariant { summary += " Violated: \(invariant.sentence)." }
    if let causeText { summary += " Cause: \(causeText)." }
    scenario.prose = lines(summary)
    if let details {
      scenario.prose += [""] + details.split(separator: "\n").map(String.init)
    }
    if let remedy { scenario.prose += [""] + lines("Remedy: \(remedy).") }
    scenario.prose += ["", Scenario.remarksHeading] + remarks.flatMap { [""] + lines($0) }
    return scenario.withoutNeedlessQuirks()
  }

  /// Further details, such as frequency, precedent, certificate and explanation.
  private var remarks: [String] {
    let met = count > 0 || metWhileShrinking != nil
    let frequency = met ? "A failure of the group '\(group.name)', \(frequency)" : nil
    let shown = precedent.map { path in
      let name = path.split(separator: "/").last ?? ""
      return standing == .known
        ? "A known failure: \(name) shows it" : "\(name) shows the same failure"
    }
    return
      ([frequency, shown].compactMap(\.self) + [certificate.sentence] + (explanation?.text ?? []))
      .map(sentence)
  }

  /// Returns the text as a sentence with a capital letter and a full stop.
  private func sentence(_ text: String) -> String {
    let isName = text.prefix { $0 != " " }.contains(".")
    let start = isName ? text : text.prefix(1).uppercased() + text.dropFirst()
    return start.hasSuffix(".") || start.hasSuffix(":") ? start : start + "."
  }

  private func lines(_ text: String) -> [String] { wrapped(text, indentation: 0, width: 98) }
}
