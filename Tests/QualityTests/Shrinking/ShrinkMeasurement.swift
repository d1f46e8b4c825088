import Diagnosis
import Execution
import Failures
import Invariants
import PropertyTesting
import Scenario
import Shrinking
import SimulatedCoreData
import Vocabulary

/// The results of shrinking many failures of one class.
struct ShrinkMeasurement: Sendable {
  /// The answer to one failure, and its cost.
  struct Shrunk: Sendable {
    let stepsBefore: Int
    /// The answer, with names that only distinguish objects.
    let answer: Program
    let size: ProgramSize
    /// The cause, or nil for a disagreement without one.
    let cause: Cause?
    /// The certificate, or nil if none was requested.
    let certificate: Certificate?
    let executions: Int
    let transitions: Int
    let milliseconds: Int
  }

  struct Answer: Sendable {
    let program: Program
    let size: ProgramSize
    var count: Int
  }

  let name: String
  let cases: [Shrunk]

  /// Shrinks as a campaign does, if `passes` are all.
  init(
    _ failureClass: FailureClass, _ cases: [FailureClass.Case],
    certifiedAfter passes: [ProgramPass] = ProgramPass.allCases
  ) {
    self.init(failureClass, cases) { failing in
      let result = ShrinkingPipeline(failing.configuration, passes: passes).smallest(
        failing.program, failingAs: FailureSignature(failing.kind))
      return Effort(
        outcome: result.outcome, certificate: result.certificate, executions: result.executions,
        transitions: result.transitions)
    }
  }

  /// Shrinks by these passes alone, without a certificate.
  init(_ failureClass: FailureClass, _ cases: [FailureClass.Case], passes: [ProgramPass]) {
    self.init(failureClass, cases) { failing in
      let result = ProgramShrinker.shrink(
        failing.program, keeping: FailureSignature(failing.kind), failing.configuration,
        passes: passes)
      return Effort(outcome: result.outcome, executions: result.statistics.executions)
    }
  }

  private struct Effort {
    var outcome: Outcome
    var certificate: Certificate?
    var executions: Int
    var transitions = 0
  }

  private init(
    _ failureClass: FailureClass, _ cases: [FailureClass.Case],
    by shrink: (FailureClass.Case) -> Effort
  ) {
    let clock = ContinuousClock()
    var causes: [Program: Cause?] = [:]
    let shrunk = cases.map { failing in
      let start = clock.now
      let effort = shrink(failing)
      let time = clock.now - start
      let answer = effort.outcome.program.withoutNames
      let cause =
        causes[answer]
        ?? Experiment(of: FailureSignature(failing.kind), in: answer, failing.configuration).cause
      causes[answer] = cause
      return Shrunk(
        stepsBefore: ProgramSize(failing.program, preemptionCount: 0).stepCount, answer: answer,
        size: ProgramSize(answer, preemptionCount: effort.outcome.preemptionCount), cause: cause,
        certificate: effort.certificate, executions: effort.executions,
        transitions: effort.transitions, milliseconds: Int(time / .milliseconds(1)))
    }
    self.init(name: failureClass.name, cases: shrunk)
  }

  private init(name: String, cases: [Shrunk]) {
    self.name = name
    self.cases = cases
  }

  /// The cases of each cause, because one kind of failure with two causes is two failures. The
  /// cause with the most cases comes first, and of equal causes the one that was met first.
  var byCause: [ShrinkMeasurement] {
    var causes: [Cause?] = []
    for cause in cases.map(\.cause) where !causes.contains(cause) { causes.append(cause) }
    return causes.map { cause in
      ShrinkMeasurement(name: name, cases: cases.filter { $0.cause == cause })
    }.sorted { $0.cases.count > $1.cases.count }
  }

  /// The answers that are distinct up to renaming, the smallest first.
  var answers: [Answer] {
    var answers: [Answer] = []
    for shrunk in cases {
      if let index = answers.firstIndex(where: { $0.program == shrunk.answer }) {
        answers[index].count += 1
      } else {
        answers.append(
          Answer(program: shrunk.answer, size: shrunk.size, count: 1))
      }
    }
    return answers.sorted { $0.size < $1.size }
  }

  /// The steps of the smallest answer to any case.
  var leastStepCount: Int { cases.map(\.size.stepCount).min() ?? 0 }
  /// The number of cases that ended with the fewest steps.
  var leastCount: Int { cases.count { $0.size.stepCount == leastStepCount } }
  /// The number of cases that ended with the commonest answer.
  var commonestCount: Int { answers.map(\.count).max() ?? 0 }
  var certifiedCount: Int { cases.count { $0.certificate?.isComplete == true } }
}

extension Program {
  /// The program, with names that only distinguish objects.
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
