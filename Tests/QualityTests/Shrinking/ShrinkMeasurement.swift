import Faultline
import PropertyTesting
import Scenario
import SimulatedCoreData
import Vocabulary

/// What making many failures of one class small came to.
struct ShrinkMeasurement: Sendable {
  struct Answer: Sendable {
    var program: Program
    var size: ProgramSize
    /// Nil for a disagreement.
    var cause: Cause?
    var count: Int
  }

  /// What one failure led to, and what that cost.
  struct Shrunk: Sendable {
    var outcome: Outcome
    /// Nil if none was asked for.
    var certificate: Certificate?
    var executions: Int
    var transitions = 0
  }

  let name: String
  private(set) var startSizes: [Int] = []
  /// Distinct ones up to renaming, the smallest first.
  private(set) var answers: [Answer] = []
  private(set) var certificates: [Certificate] = []
  private(set) var executions: [Int] = []
  private(set) var transitions: [Int] = []
  private(set) var milliseconds: [Int] = []

  /// As a campaign does it, if `passes` are all.
  init(
    _ failureClass: FailureClass, _ cases: [FailureClass.Case],
    certifiedAfter passes: [ProgramPass] = ProgramPass.allCases
  ) {
    self.init(failureClass, cases) { failing in
      let result = Minimizer(failing.configuration, passes: passes).smallest(
        failing.program, failingAs: failing.kind)
      return Shrunk(
        outcome: result.outcome, certificate: result.certificate, executions: result.executions,
        transitions: result.transitions)
    }
  }

  /// By these passes alone, without a certificate.
  init(_ failureClass: FailureClass, _ cases: [FailureClass.Case], passes: [ProgramPass]) {
    self.init(failureClass, cases) { failing in
      let result = ProgramShrinker.shrink(
        failing.program, keeping: failing.kind, failing.configuration, passes: passes)
      return Shrunk(outcome: result.outcome, executions: result.statistics.executions)
    }
  }

  private init(
    _ failureClass: FailureClass, _ cases: [FailureClass.Case],
    by shrink: (FailureClass.Case) -> Shrunk
  ) {
    name = failureClass.name
    let clock = ContinuousClock()
    for failing in cases {
      startSizes.append(ProgramSize(failing.program, preemptionCount: 0).stepCount)
      var shrunk: Shrunk?
      let time = clock.measure { shrunk = shrink(failing) }
      guard let shrunk else { continue }
      milliseconds.append(Int(time / .milliseconds(1)))
      executions.append(shrunk.executions)
      transitions.append(shrunk.transitions)
      if let certificate = shrunk.certificate { certificates.append(certificate) }
      note(shrunk.outcome, of: failing)
    }
    answers.sort { $0.size < $1.size }
  }

  private mutating func note(_ outcome: Outcome, of failing: FailureClass.Case) {
    let program = outcome.program.withoutNames
    if let index = answers.firstIndex(where: { $0.program == program }) {
      answers[index].count += 1
    } else {
      let size = ProgramSize(program, preemptionCount: outcome.preemptionCount)
      let cause = Attribution(failing.configuration).cause(of: failing.kind, in: program)
      answers.append(Answer(program: program, size: size, cause: cause, count: 1))
    }
  }

  var caseCount: Int { startSizes.count }
  /// Steps of the smallest answer that any case led to.
  var leastStepCount: Int { answers.first?.size.stepCount ?? 0 }
  /// One kind of failure with two causes is two failures.
  private var answersByCause: [[Answer]] {
    Dictionary(grouping: answers, by: \.cause).values.map(\.self)
  }
  var causeCount: Int { answersByCause.count }
  var mostAnswersOfOneCause: Int { answersByCause.map(\.count).max() ?? 0 }
  /// How many cases ended with as few steps as any with the same cause.
  var leastCount: Int {
    answersByCause.reduce(0) { sum, answers in
      let least = answers.map(\.size.stepCount).min()
      return answers.filter { $0.size.stepCount == least }.reduce(sum) { $0 + $1.count }
    }
  }
  /// How many cases ended with the commonest answer.
  var commonestCount: Int { answers.map(\.count).max() ?? 0 }
  var certifiedCount: Int { certificates.count { $0.isComplete } }
  var meanExecutions: Int { Int(Statistics(executions).mean) }
}

extension Program {
  /// With names that only say which is which.
  var withoutNames: Program {
    var result = self
    result.names = names.indices.map { "object\($0)" }
    for index in stack.contexts.indices { result.stack.contexts[index].name = "context\(index)" }
    for index in stack.stores.indices { result.stack.stores[index].name = "store\(index)" }
    for index in stack.coordinators.indices {
      result.stack.coordinators[index].name = "coordinator\(index)"
    }
    for index in stack.queues.indices { result.stack.queues[index].name = "queue\(index)" }
    while result.schedule.last == 0 { result.schedule.removeLast() }
    return result
  }
}
