import Campaigns
import Diagnosis
import Execution
import Failures
import Invariants
import ObjectModel
import Scenario
import ScenarioChecking
import Shrinking
import Vocabulary

/// A finding of a campaign as its reader sees it: a scenario as text, and claims about it.
struct PrintedFinding {
  let failure: FailureReport
  /// The program, read back from the printed text.
  let program: Program
  private let configuration: RunConfiguration

  /// - Parameter model: The model that the scenario names.
  init(_ failure: FailureReport, _ model: ObjectModel) throws {
    self.failure = failure
    let scenario = try ScenarioText.parse(ScenarioText.print(failure.example)) { _ in
      .success(model)
    }
    program = Program(scenario)
    var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    configuration.checkLevel = .design
    configuration.stack = program.stack
    self.configuration = configuration
  }

  /// Returns the claims of the report that are not true of the printed scenario, in words.
  func untrueClaims() -> [String] {
    verdictClaims() + neededClaims() + editClaims()
  }

  private func run(_ program: Program) -> Outcome { ProgramRunner(configuration).run(program) }

  // MARK: Kind, cause and remedy

  private func verdictClaims() -> [String] {
    let failures = run(program).failures.filter { $0.kind == failure.kind }
    if failures.isEmpty { return ["does not fail as \(failure.kind)"] }
    let causes = failures.map { Experiment(of: $0, in: program, configuration).cause }
    guard causes.contains(failure.cause) else {
      let texts = causes.map { $0?.text ?? "none" }.joined(separator: ", ")
      return ["fails for another cause: \(texts); reported is \(failure.cause?.text ?? "none")"]
    }
    guard let invariant = failure.kind.invariant, let site = failure.kind.site else { return [] }
    let remedy = invariant.definition.remedy(
      for: failure.cause, at: site, after: PriorEvents(in: program.steps, on: program.stack),
      of: failure.subject)
    return remedy == failure.remedy ? [] : ["has another remedy: \(remedy ?? "none")"]
  }

  // MARK: Needed steps

  /// The printed stack does not need a step that only the whole of the design needs.
  private func neededClaims() -> [String] {
    guard let explanation = failure.explanation else { return [] }
    let places = program.places
    guard places.map({ program[$0] }) == explanation.steps.map(\.step) else {
      return ["has other steps than its explanation"]
    }
    return zip(places, explanation.steps).compactMap { place, step in
      switch step.role {
      case .irrelevant, .irrelevantToOrder, .essentialToDesign: return nil
      case .essential, .changes:
        let fails = run(program.replacing(place, by: [])).fails(as: explanation.target)
        return fails ? "also fails without '\(text(step.step))'" : nil
      case .renames(let kinds):
        let known = run(program.replacing(place, by: [])).failureKinds
        return kinds.allSatisfy(known.contains)
          ? nil : "has no other name without '\(text(step.step))'"
      }
    }
  }

  private func text(_ step: AddressedStep) -> String {
    StepText(
      model: program.model, stack: program.stack, names: program.names, steps: program.steps
    ).text(step)
  }

  // MARK: Edits

  /// An ignored save may have saved an equal value.
  private func editClaims() -> [String] {
    if failure.kind.invariant == .SavesAreNotIgnored { return [] }
    return program.places.compactMap { place in
      let step = program[place]
      guard case .program = place.list, let (name, property, value) = step.step.edit else {
        return nil
      }
      let get = AddressedStep(step.context, .get(name, property))
      var values: [Value] = []
      _ = ProgramRunner(configuration).run(
        program.replacing(place, by: [get]),
        observing: { action, events in
          guard action == .step(get, .whole) else { return }
          for case .value(let value) in events { values.append(value) }
        })
      // If other steps read the property, too, it is unknown which value this edit replaces.
      return values.count == 1 && values[0] == value ? "'\(text(step))' changes nothing" : nil
    }
  }
}

extension Step {
  fileprivate var edit: (name: ObjectName, property: PropertyID, value: Value)? {
    switch self {
    case .set(let name, let property, let value), .setPrimitive(let name, let property, let value):
      (name, property, value)
    default: nil
    }
  }
}
