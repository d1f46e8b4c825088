import Faultline
import Foundation
import PropertyTesting

/// How small failures get, and what each pass contributes, as tables.
enum ShrinkTable {
  /// `count` cases of each class, as campaigns meet and shrink them.
  static func page(cases count: Int, root: String) async throws -> String {
    let rows = try await FailureClass.all.concurrently { failureClass in
      row(ShrinkMeasurement(failureClass, try failureClass.cases(count, root: root)))
    }
    return """
      Programs as campaigns run them, up to \(count) cases of each class, shrunk and certified as in a campaign's report.
      *Least*: cases that end with as few steps as the smallest answer of their class with the same cause. *Certified*: cases that
      no program of fewer steps on their own stack equals, by a search that came to its end: over their own steps, and everyday ones
      unless those are too many. *Answers*: distinct ones up to names, how many causes they have, how many answers one cause has at the
      most, and how many cases have the commonest. Runs leave out those that look for causes.

      | class | cases | steps before | after | least | certified | answers | causes | of one | commonest | runs: mean, median, most | certificate's transitions: mean | ms: median, most |
      |---|---|---|---|---|---|---|---|---|---|---|---|---|
      \(rows.joined(separator: "\n"))
      """
  }

  private static func row(_ measured: ShrinkMeasurement) -> String {
    let executions = Statistics(measured.executions)
    let times = Statistics(measured.milliseconds)
    let cells: [String] = [
      measured.name, "\(measured.caseCount)", "\(Int(Statistics(measured.startSizes).mean))",
      "\(measured.leastStepCount)", "\(measured.leastCount)", "\(measured.certifiedCount)",
      "\(measured.answers.count)", "\(measured.causeCount)", "\(measured.mostAnswersOfOneCause)",
      "\(measured.commonestCount)",
      "\(Int(executions.mean)), \(Int(executions.median)), \(executions.maximum)",
      "\(Int(Statistics(measured.transitions).mean))",
      "\(Int(times.median)), \(times.maximum)",
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  /// Every pass left out in turn.
  static func ablation(cases count: Int, root: String) async throws -> String {
    let classes = try FailureClass.all.map { ($0, try $0.cases(count, root: root)) }
    let left = [nil] + ProgramPass.allCases.map(Optional.some)
    let rows = try await left.concurrently { pass in
      let passes = ProgramPass.allCases.filter { $0 != pass }
      let alone = classes.map { ShrinkMeasurement($0, $1, passes: passes) }
      let certified = classes.map { ShrinkMeasurement($0, $1, certifiedAfter: passes) }
      let cells = [pass.map { "\($0)" } ?? "nothing"] + sums(alone) + sums(certified)
      return "| \(cells.joined(separator: " | ")) |"
    }
    let cases = classes.reduce(0) { $0 + $1.1.count }
    return """
      All \(cases) cases, \(count) of each class at most, shrunk with one pass left out: what a pass is worth is by how much the others end
      with more steps, with more different answers, or after more runs. First by passes alone, then with the searches for certificates,
      which find most of what a pass would have found.

      | without | steps after, in all | answers | runs | certified: steps | certified: answers | certified: runs |
      |---|---|---|---|---|---|---|
      \(rows.joined(separator: "\n"))
      """
  }

  /// Steps of the examples, how many there are, and runs.
  private static func sums(_ measured: [ShrinkMeasurement]) -> [String] {
    [
      measured.flatMap(\.answers).reduce(0) { $0 + $1.count * $1.size.stepCount },
      measured.reduce(0) { $0 + $1.answers.count },
      measured.flatMap(\.executions).reduce(0, +),
    ].map { "\($0)" }
  }
}
