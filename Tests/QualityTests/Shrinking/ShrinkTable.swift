import Failures
import Execution
import Foundation
import Invariants
import PropertyTesting
import Shrinking

/// Tables of the sizes of shrunk failures, and of what each pass contributes.
enum ShrinkTable {
  /// Measures `count` cases of each class, as campaigns find and shrink them.
  static func page(cases count: Int, root: String) async throws -> String {
    let rows = try await FailureClass.all.concurrently { failureClass in
      let measured = ShrinkMeasurement(failureClass, try failureClass.cases(count, root: root))
      let byCause = measured.byCause
      let ofEach = byCause.map { row($0, $0.cases[0].cause?.text ?? "–") }
      return byCause.count > 1 ? [row(measured, "**all \(byCause.count)**")] + ofEach : ofEach
    }
    return """
      Programs as campaigns run them, up to \(count) cases of each class, shrunk and certified as in a campaign's report. One kind of
      failure with two causes is two failures: a class that has several has a row for all and one for each cause. No pass was tuned for
      classes marked *. *Least*: cases that end with as few steps as the smallest answer of their row. *Certified*: cases that no program of fewer steps
      on their own stack equals, by a search that came to its end: over their own steps, and common ones unless those are too many.
      *Answers*: distinct ones up to names. *Commonest*: how many cases have the commonest of them. Runs leave out those that look for
      causes.

      | class | cause | cases | steps before | after | least | certified | answers | commonest | runs: mean, median, most | certificate's transitions: mean | ms: median, most |
      |---|---|---|---|---|---|---|---|---|---|---|---|
      \(rows.joined().joined(separator: "\n"))
      """
  }

  private static func row(_ measured: ShrinkMeasurement, _ cause: String) -> String {
    let cases = measured.cases
    let executions = Statistics(cases.map(\.executions))
    let times = Statistics(cases.map(\.milliseconds))
    let cells: [String] = [
      measured.name, cause, "\(cases.count)",
      "\(Int(Statistics(cases.map(\.stepsBefore)).mean))",
      "\(measured.leastStepCount)", "\(measured.leastCount)", "\(measured.certifiedCount)",
      "\(measured.answers.count)", "\(measured.commonestCount)",
      "\(Int(executions.mean)), \(Int(executions.median)), \(executions.maximum)",
      "\(Int(Statistics(cases.map(\.transitions)).mean))",
      "\(Int(times.median)), \(times.maximum)",
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  /// Measures with every pass left out in turn.
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

  /// Returns the steps of the examples, their number, and the runs.
  private static func sums(_ measured: [ShrinkMeasurement]) -> [String] {
    let cases = measured.flatMap(\.cases)
    return [
      cases.reduce(0) { $0 + $1.size.stepCount },
      measured.reduce(0) { $0 + $1.answers.count },
      cases.reduce(0) { $0 + $1.executions },
    ].map { "\($0)" }
  }
}
