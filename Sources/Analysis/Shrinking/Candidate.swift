import Failures
import Execution
import Invariants
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A run of a program, with details that a shrinker needs.
struct Candidate {
  /// The program, with the schedule that the run drew.
  let program: Program
  let outcome: Outcome
  let entities: EntityTable
  /// The number of choices that the scheduler had made at the end of each step. Shorter than the
  /// program if the run ended early.
  private let choiceCounts: [Int]
  /// The index of the step that showed the failure. Nil if only the end of the run showed it.
  let failingStep: Int?
  /// The number of steps that had been performed at the end of each step of the program.
  private let performedCounts: [Int]
  /// The performed steps, in order. Nil for an action that belongs to no step.
  private let performedSteps: [AddressedStep?]
  /// Steps without a block that had an effect, in the order of the run. `idleSteps` are those that
  /// had no effect.
  private let usefulSteps: [AddressedStep]
  private let idleSteps: [AddressedStep]

  init(_ program: Program, _ runner: ProgramRunner, keeping target: FailureSignature) {
    var counts: [Int] = []
    var performed: [Int] = []
    var failingStep: Int?
    var (useful, wasted): ([AddressedStep], [AddressedStep]) = ([], [])
    var performedSteps: [AddressedStep?] = []
    outcome = runner.run(
      program,
      observing: { action, events in
        guard case .step(let step, let phase) = action else {
          if action.isCountedAsStep { performedSteps.append(nil) }
          return
        }
        if action.isCountedAsStep { performedSteps.append(step) }
        switch Effect(of: events, in: phase) {
        case .some: useful.append(step)
        case .none: wasted.append(step)
        case .open: break
        }
      },
      following: { run, count in
        counts.append(count)
        performed.append(run.stepCount)
        if failingStep == nil,
          run.failed(as: target)
        {
          failingStep = counts.count - 1
        }
      })
    choiceCounts = counts
    self.failingStep = failingStep
    self.program = outcome.program
    entities = EntityTable(of: outcome.program)
    performedCounts = performed
    self.performedSteps = performedSteps
    (usefulSteps, idleSteps) = (useful, wasted)
  }

  /// Steps without a block that never had an effect.
  var wastedSteps: [AddressedStep] { idleSteps.filter { !usefulSteps.contains($0) } }

  /// Returns the performed step with the given number, from 1. Returns nil if its action belongs to
  /// no step, or if the number is out of range.
  func performedStep(_ number: Int) -> AddressedStep? {
    performedSteps.indices.contains(number - 1) ? performedSteps[number - 1] : nil
  }

  /// Returns the index of the program step during which the step with the given number was
  /// performed. Returns nil after the last step.
  func step(ofPerformed number: Int) -> Int? { performedCounts.firstIndex { $0 >= number } }

  /// Returns the choices of the scheduler during a step of the program.
  func choices(of step: Int) -> [UInt32] {
    guard step < choiceCounts.count else { return [] }
    let start = step == 0 ? 0 : choiceCounts[step - 1]
    return Array(program.schedule[start..<choiceCounts[step]])
  }

  /// Returns the index of the step during which the scheduler made a choice. Returns nil after the
  /// last step.
  package func step(ofChoice place: Int) -> Int? { choiceCounts.firstIndex { place < $0 } }

  /// The choices of the scheduler after the last step.
  var choicesAtEnd: [UInt32] { Array(program.schedule.dropFirst(choiceCounts.last ?? 0)) }
}

/// The effect of an action, which stays open during the first phases of a save.
private enum Effect {
  case some, none, open

  /// Creates the effect of an action. A save has an effect if it fails, or if its DidSave names an
  /// object.
  init(of events: [Event], in phase: Phase) {
    switch phase {
    case .whole: self = events == [.nothing] ? .none : .some
    case .flush, .willSave, .commit:
      let fails = events.contains { if case .failed = $0 { true } else { false } }
      self = fails ? .some : .open
    case .finish:
      let isEmpty = events.allSatisfy { event in
        switch event {
        case .saved: true
        case .didSave(_, let sets, number: _), .didSaveObjectIDs(_, let sets, number: _):
          sets.isEmpty
        default: false
        }
      }
      self = isEmpty ? .none : .some
    }
  }
}
