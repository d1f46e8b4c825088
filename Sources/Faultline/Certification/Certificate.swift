import ObjectModel
import Vocabulary

/// Whether a failing program is as short as it can be, and how that is known.
package struct Certificate: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    /// No program of fewer steps fails like it, nor one of as many with fewer preemptions.
    case minimal
    /// No program of fewer steps fails like it; as many may do with fewer preemptions, or simpler ones.
    case shortest
    /// All programs of fewer steps than this were seen before the budget was spent.
    case open(belowSteps: Int)
    /// There are more steps to try than can be searched.
    case tooLarge
  }

  package var verdict: Verdict
  /// Of the program.
  package var stepCount: Int
  /// How many different states were gone on with, and how many steps that took.
  package var stateCount = 0
  package var transitionCount = 0
  /// How many different steps the programs were made of.
  package var letterCount = 0

  package var isMinimal: Bool { verdict == .minimal }
  /// Whether no program of fewer steps fails like it.
  package var isComplete: Bool { verdict == .minimal || verdict == .shortest }

  /// What a report says of it.
  package var sentence: String {
    let steps = stepCount == 1 ? "1 step" : "\(stepCount) steps"
    let letters =
      (letterCount == 1 ? "1 step" : "\(letterCount) steps")
      + ", its own with every object, context and value"
    switch verdict {
    case .minimal:
      return
        "certified minimal over \(letters): all \(grouped(stateCount)) states that "
        + "fewer than \(steps) lead to were checked (\(grouped(transitionCount)) transitions)"
    case .shortest:
      return "certified shortest over \(letters): all states that fewer than "
        + "\(steps) lead to were checked; the budget of \(grouped(transitionCount)) transitions was "
        + "spent before simpler programs of as many steps were"
    case .open(let below):
      return "not certified: the budget of \(grouped(transitionCount)) transitions was spent; all "
        + "programs of fewer than \(below) \(below == 1 ? "step" : "steps") were checked"
    case .tooLarge:
      return
        "not certified: there are more than \(grouped(StepAlphabet.limit)) steps to choose from"
    }
  }
}

/// Proves that a program is minimal, or finds the smaller one.
///
/// Programs are made of the steps that the failing one is made of, with its contexts, objects, values
/// and ordinals in every combination (`StepAlphabet`), on its stack. The schedules are part of it: of
/// programs with equally many steps, the one with the fewest preemptions comes first.
package struct Certification {
  private let configuration: RunConfiguration
  /// How many transitions may be spent. Counted, not timed.
  private let budget: Int

  package init(_ configuration: RunConfiguration, budget: Int = 100_000) {
    var configuration = configuration
    // Whatever is looked for, proofs are for later.
    if configuration.scrutiny == .proof { configuration.scrutiny = .soundness }
    self.configuration = configuration
    self.budget = budget
  }

  /// The first of the smallest programs that fail as `kind`, with its certificate; `program` itself,
  /// which fails so, if that is not known.
  package func smallest(_ program: Program, failingAs kind: String) -> (Program, Certificate) {
    var configuration = configuration
    let invariant = Invariant.of(kind)
    configuration.comparesWithReference = invariant == nil
    if invariant?.judgesDesign != true { configuration.scrutiny = .soundness }
    let size = program.stepCount
    guard let alphabet = StepAlphabet(of: program) else {
      return (program, Certificate(verdict: .tooLarge, stepCount: size))
    }
    let search = ProgramSearch(program, kind: kind, alphabet, configuration, budget: budget)
    let result = search.run(upTo: size)
    var certificate = Certificate(
      verdict: .minimal, stepCount: size, stateCount: result.stateCount,
      transitionCount: result.transitionCount, letterCount: alphabet.letters.count)
    guard let found = result.found else {
      certificate.verdict =
        result.completedCost >= size ? .shortest : .open(belowSteps: result.completedCost)
      return (program, certificate)
    }
    certificate.stepCount = found.stepCount
    return (found, certificate)
  }
}

extension Invariant {
  /// The invariant that a kind of violation is one of; nil for a disagreement.
  static func of(_ kind: String) -> Invariant? {
    if kind == Violation.staleRowCache { return .LoadsShowTheNewest }
    return allCases.first { kind == $0.anomaly || kind == $0.anomaly + " in the store" }
  }
}
