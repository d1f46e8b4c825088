import Prose
package import SimulatedCoreData

/// The number of runs that reached each of the engine's rare branches.
package struct MarkCoverage: Hashable, Sendable {
  private var counts = Array(repeating: 0, count: Mark.allCases.count)

  package init() {}

  /// Adds the marks of one run.
  package mutating func count(_ marks: MarkSet) {
    for mark in marks.marks { counts[mark.rawValue] += 1 }
  }

  package mutating func merge(_ other: MarkCoverage) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }

  mutating func add(_ runs: Int, to mark: Mark) { counts[mark.rawValue] += runs }

  package subscript(mark: Mark) -> Int { counts[mark.rawValue] }

  package var unreached: [Mark] { Mark.allCases.filter { self[$0] == 0 } }

  /// A summary, such as `marks: 2 of 3 reached; not reached: a`.
  package var summary: String {
    let reached = Mark.allCases.count - unreached.count
    let start = "marks: \(reached) of \(Mark.allCases.count) reached"
    return unreached.isEmpty
      ? start : start + "; not reached: " + unreached.map(\.name).joined(separator: ", ")
  }

  /// The lines of a table with each mark and its number of runs.
  package var table: [String] {
    let width = Mark.allCases.map(\.name.count).max() ?? 0
    return Mark.allCases.map { mark in
      let count = grouped(self[mark])
      let gap = width - mark.name.count + max(1, 10 - count.count)
      return "  " + mark.name + String(repeating: " ", count: gap) + count
    }
  }
}
