import Failures
import Execution
import Invariants
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A run of a program that a shrinker looked at closely.
struct Candidate {
  /// As it was asked for; its schedule is what the run drew.
  let program: Program
  let outcome: Outcome
  let entities: EntityTable
  /// By step: how many choices the scheduler had made when it was over. Shorter than the program if
  /// the run ended before that.
  private let choiceCounts: [Int]
  /// The step during which the failure showed; nil if only the end showed it.
  let failingStep: Int?
  /// By step: how many steps had been performed when it was over.
  private let performedCounts: [Int]
  /// The performed steps, in order; nil for an action that no step names.
  private let performedSteps: [AddressedStep?]
  /// Steps without a block that had an effect, and steps that had none, in the order of the run.
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

  /// Steps without a block that had no effect whenever they were performed.
  var wastedSteps: [AddressedStep] { idleSteps.filter { !usefulSteps.contains($0) } }

  /// The `number`-th performed step, from 1; nil if no step names the action, or none was counted.
  func performedStep(_ number: Int) -> AddressedStep? {
    performedSteps.indices.contains(number - 1) ? performedSteps[number - 1] : nil
  }

  /// The index of the program's step during which the `number`-th step was performed; nil after the
  /// last.
  func step(ofPerformed number: Int) -> Int? { performedCounts.firstIndex { $0 >= number } }

  /// What the scheduler chose while this step was being run.
  func choices(of step: Int) -> [UInt32] {
    guard step < choiceCounts.count else { return [] }
    let start = step == 0 ? 0 : choiceCounts[step - 1]
    return Array(program.schedule[start..<choiceCounts[step]])
  }

  /// During which step it made a choice; nil after the last.
  package func step(ofChoice place: Int) -> Int? { choiceCounts.firstIndex { place < $0 } }

  /// What it chose after the last.
  var choicesAtEnd: [UInt32] { Array(program.schedule.dropFirst(choiceCounts.last ?? 0)) }
}

/// A Boolean answer that may still be open: does an action change anything, or show anything?
private enum Effect {
  case some, none, open

  /// A save has an effect if it fails, or if its DidSave names an object.
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
