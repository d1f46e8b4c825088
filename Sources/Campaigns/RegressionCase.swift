import Diagnosis
import Execution
package import Failures
import InputFiles
import Invariants
import Prose
package import Scenario
import ScenarioChecking
import Shrinking
import SimulatedCoreData
import Vocabulary

/// A failure that a folder keeps, as one scenario file with a claim `shows  KIND`.
package struct RegressionCase {
  /// What became of it when it was replayed.
  package enum Status: Hashable {
    /// It fails as it did; this scenario shows the same, if any does.
    case fails(Standing, precedent: String?)
    /// It fails no more, and was moved there; nil if that could not be done.
    case passes(movedTo: String?)
    /// Its program takes steps that the stack of the campaign does not allow any more, and it was
    /// moved there; nil if that could not be done.
    case isRuledOut(movedTo: String?)
    /// The stack of the campaign lacks what it is about.
    case isAboutAnotherStack
    /// The campaign does not count what it shows: its options leave that out, or it is misuse.
    case isLeftOut
  }

  package internal(set) var path: String
  package let scenario: Scenario
  /// What it shows, or showed.
  package let kind: FailureKind
  /// Why, today. Nil if it shows nothing any more, and for a disagreement that no planted bug
  /// explains.
  package internal(set) var cause: Cause?
  /// The part of the design without which it does not fail, if there is one.
  package internal(set) var part: DesignPart?
  /// The kind of context that shows it.
  private(set) var role: ContextRole?
  /// How the objects of the example were changed, where that was noted.
  private(set) var ways: ChangeWays?
  private(set) var promise: String?
  package internal(set) var status = Status.fails(.new, precedent: nil)
  /// Whether the campaign has shown it, too.
  package internal(set) var isFoundAgain = false
  /// How long its replay took; nil if no clock was read.
  package internal(set) var seconds: Double?
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

  /// Whether `program`, on the whole of the design, takes more steps that the design does not allow
  /// than it did when it was kept: on hidden contexts, or giving up one that stays. No campaign
  /// generates it any more.
  func isRuledOut(_ program: Program, by design: Stack?) -> Bool {
    guard let design else { return false }
    let own = Program(scenario)
    return own.stack.trespassCount(of: own, in: own.stack)
      < program.stack.trespassCount(of: program, in: design)
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
    // By itself it is what a campaign shows, on parts of the stack.
    let own = Program(scenario)
    let attributed = runner.run(own).fails(as: failure) ? own : failing
    let shown = runner.run(attributed).failures.first { $0.kind == kind } ?? failure
    let experiment = Experiment(of: shown, in: attributed, configuration)
    cause = experiment.cause
    part = experiment.part(for: cause)
    role = shown.detail?.role
    ways = shown.detail?.ways
    promise = shown.detail?.promise
    return true
  }
}

extension RegressionCase {
  package var identity: FailureIdentity { FailureIdentity(kind, cause) }

  /// The scenario that shows the same.
  package var precedent: String? {
    if case .fails(_, let path) = status { path } else { nil }
  }

  private var blame: Blame { Blame(identity, part: part, role: role, ways: ways, promise: promise) }

  package var group: FailureGroup { blame.group }

  func isSameBug(as failure: FailureReport) -> Bool {
    if kind == failure.kind, Program(scenario) == Program(failure.kept(as: scenario.name)) {
      return true
    }
    return blame.key == failure.blame.key
  }

  /// What the campaign makes of it; of one that fails no more, nothing.
  package var standing: Standing {
    if case .fails(let standing, _) = status { standing } else { .allowed }
  }
}

extension FailureReport {
  /// What a file that keeps it is called: `lost-update`.
  package var fileName: String {
    kind.name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
  }

  /// Its example as a file that can be read and run by itself.
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

  /// What is known of it besides: how often it was met, what shows the same, whether it can be
  /// shorter, and what of it matters.
  private var remarks: [String] {
    let met = count > 0 || metWhileShrinking != nil
    let frequency = met ? "A failure of the group '\(group.name)', \(frequency)" : nil
    let shown = precedent.map { path in
      let name = path.split(separator: "/").last ?? ""
      return standing == .known ? "A known failure: \(name) shows it" : "\(name) shows the same"
    }
    return
      ([frequency, shown].compactMap(\.self) + [certificate.sentence] + (explanation?.text ?? []))
      .map(sentence)
  }

  /// As prose: with a capital letter and a full stop.
  private func sentence(_ text: String) -> String {
    let isName = text.prefix { $0 != " " }.contains(".")
    let start = isName ? text : text.prefix(1).uppercased() + text.dropFirst()
    return start.hasSuffix(".") || start.hasSuffix(":") ? start : start + "."
  }

  private func lines(_ text: String) -> [String] { wrapped(text, indentation: 0, width: 98) }
}
