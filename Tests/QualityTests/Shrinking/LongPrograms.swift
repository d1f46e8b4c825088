import Failures
import Campaigns
import Determinism
import Execution
import Generation
import PropertyTesting
import Shrinking
import SimulatedCoreData
import Vocabulary

/// The time until a failure of a long program on a wide stack can be read: shrunk, certified and
/// explained.
enum LongPrograms {
  static let stepCount = 300
  static let contextCount = 6
  static let queueCount = 3

  /// The result for one failure.
  struct Measured: Sendable {
    var kind: FailureKind
    var stepsBefore: Int
    var stepsAfter: Int
    var isCertified: Bool
    var executions: Int
    var milliseconds: Int
  }

  static func page(cases count: Int, root: String) async throws -> String {
    let measured = try await cases(count, root: root).concurrently { measure($0) }
    var rows: [String] = []
    for kind in FailureKind.violations where measured.contains(where: { $0.kind == kind }) {
      let ofKind = measured.filter { $0.kind == kind }
      let times = Statistics(ofKind.map(\.milliseconds))
      let cells = [
        kind.name, "\(ofKind.count)", "\(Int(Statistics(ofKind.map(\.stepsBefore)).mean))",
        "\(Int(Statistics(ofKind.map(\.stepsAfter)).mean))", "\(ofKind.count { $0.isCertified })",
        "\(Int(Statistics(ofKind.map(\.executions)).mean))",
        "\(Int(times.median)), \(times.maximum)",
      ]
      rows.append("| \(cells.joined(separator: " | ")) |")
    }
    return """
      \(measured.count) programs of \(stepCount) steps or more on stacks of \(contextCount) contexts with \(queueCount) queues or more, as a campaign ran
      them: of each the failure that is the rarest so far, shrunk, certified and explained.

      | failure | cases | steps before | after | certified | runs: mean | ms: median, most |
      |---|---|---|---|---|---|---|
      \(rows.joined(separator: "\n"))
      """
  }

  /// Returns the first failing programs of a campaign that are long and wide enough.
  static func cases(
    _ count: Int, root: String, seed: UInt64 = 1, limit: Int = 10_000
  ) throws -> [FailureClass.Case] {
    var settings = try FailureClass(name: "", model: "EmployeeDepartment").settings(root: root)
    settings.steps = stepCount
    settings.limits.contextCount = contextCount
    let campaign = FuzzCampaign(settings)
    var cases: [FailureClass.Case] = []
    for index in 0..<limit where cases.count < count {
      var choices = Choices(seed: Generator.derive(seed, UInt64(index)))
      let outcome = campaign.run(settings.models[0], &choices)
      let program = outcome.program
      // The case has that kind of the program which has the fewest cases yet.
      let kind = outcome.failureKinds.min { a, b in
        cases.count { $0.kind == a } < cases.count { $0.kind == b }
      }
      guard let kind, program.stack.contexts.count == contextCount,
        program.stack.queueCount >= queueCount,
        ProgramSize(program, preemptionCount: 0).stepCount >= stepCount
      else { continue }
      var again = Choices(replaying: choices.recording)
      let configuration = settings.configuration(for: settings.models[0], &again)
      cases.append(FailureClass.Case(program: program, kind: kind, configuration: configuration))
    }
    return cases
  }

  static func measure(_ failing: FailureClass.Case) -> Measured {
    let clock = ContinuousClock()
    let start = clock.now
    let result = ShrinkingPipeline(failing.configuration).smallest(
      failing.program, failingAs: FailureSignature(failing.kind))
    let smallest = result.outcome.program
    let explanation = Explanation(
      of: FailureSignature(failing.kind), in: smallest, failing.configuration)
    return Measured(
      kind: failing.kind,
      stepsBefore: ProgramSize(failing.program, preemptionCount: 0).stepCount,
      stepsAfter: ProgramSize(smallest, preemptionCount: 0).stepCount,
      isCertified: result.certificate.isComplete,
      executions: result.executions + explanation.executions,
      milliseconds: Int((clock.now - start) / .milliseconds(1)))
  }
}

extension Stack {
  /// The number of queues: one for each private context, the main queue, and the app's queues.
  fileprivate var queueCount: Int {
    contexts.count { $0.concurrencyType == .privateQueue }
      + (contexts.contains(where: \.isOnMainQueue) ? 1 : 0) + queues.count
  }
}
