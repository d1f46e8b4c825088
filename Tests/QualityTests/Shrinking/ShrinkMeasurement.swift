import Faultline
import Scenario
import SimulatedCoreData
import Vocabulary

/// What shrinking many failures of one class came to.
struct ShrinkMeasurement {
  struct Answer {
    var program: Program
    var size: ProgramSize
    var count: Int
  }

  let name: String
  private(set) var startSizes: [Int] = []
  /// Distinct ones up to renaming, the smallest first.
  private(set) var answers: [Answer] = []
  private(set) var executions: [Int] = []
  private(set) var executionsToBest: [Int] = []
  private(set) var passes: [ProgramShrinkStatistics.PassCount] = []
  /// In seconds, by case.
  private(set) var seconds: [Double] = []

  init(
    _ failureClass: FailureClass, _ cases: [FailureClass.Case], budget: Int = 2_000,
    passes: [ProgramPass] = ProgramPass.allCases
  ) {
    name = failureClass.name
    let clock = ContinuousClock()
    self.passes = ProgramPass.allCases.map { .init(pass: $0) }
    for failing in cases {
      startSizes.append(ProgramSize(failing.program, preemptionCount: 0).stepCount)
      var result: ProgramShrinker.Result?
      let time = clock.measure {
        result = ProgramShrinker.shrink(
          failing.program, keeping: failing.kind, failing.configuration, budget: budget,
          passes: passes)
      }
      guard let result else { continue }
      let parts = time.components
      seconds.append(Double(parts.seconds) + Double(parts.attoseconds) * 1e-18)
      executions.append(result.statistics.executions)
      executionsToBest.append(result.statistics.executionsToBest)
      for index in self.passes.indices {
        self.passes[index].tries += result.statistics.passes[index].tries
        self.passes[index].successes += result.statistics.passes[index].successes
      }
      note(result.outcome)
    }
    answers.sort { $0.size < $1.size }
  }

  private mutating func note(_ outcome: Outcome) {
    let program = outcome.program.withoutNames
    if let index = answers.firstIndex(where: { $0.program == program }) {
      answers[index].count += 1
    } else {
      let size = ProgramSize(program, preemptionCount: outcome.preemptionCount)
      answers.append(Answer(program: program, size: size, count: 1))
    }
  }

  var caseCount: Int { seconds.count }
  /// Steps of the smallest answer that any case led to.
  var leastStepCount: Int { answers.first?.size.stepCount ?? 0 }
  /// How many cases ended with as few steps.
  var leastCount: Int {
    answers.filter { $0.size.stepCount == leastStepCount }.reduce(0) { $0 + $1.count }
  }
  /// How many cases ended at the smallest answer itself.
  var bestCount: Int { answers.first?.count ?? 0 }
  var meanExecutions: Int { executions.reduce(0, +) / max(1, caseCount) }

  static let header =
    "class, cases, start steps, least steps, at least steps, at the best, answers, executions mean/median/max, to best mean, seconds median/max"

  var line: String {
    let starts = startSizes.reduce(0, +) / max(1, caseCount)
    let sorted = executions.sorted()
    let times = seconds.sorted()
    func milliseconds(_ seconds: Double) -> String { "\(Int(seconds * 1000)) ms" }
    guard caseCount > 0 else { return "\(name), no case" }
    return
      "\(name), \(caseCount), \(starts), \(leastStepCount), \(leastCount), \(bestCount), \(answers.count), "
      + "\(meanExecutions)/\(sorted[caseCount / 2])/\(sorted[caseCount - 1]), "
      + "\(executionsToBest.reduce(0, +) / caseCount), "
      + "\(milliseconds(times[caseCount / 2]))/\(milliseconds(times[caseCount - 1]))"
  }
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
