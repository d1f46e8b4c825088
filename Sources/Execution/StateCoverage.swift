import Determinism
import Scenario
package import SimulatedCoreData
package import Vocabulary

/// The abstract states that a run came through: after each action the shape of the stack around its
/// context, with what kind of action it was and how it ended; and the marks that it passed.
///
/// They have the same numbers in every build and process, so campaigns can count and compare them.
package struct StateCoverage: Sendable {
  /// An abstract state, and in which step of the program it came about first, from 1.
  package struct Visit: Hashable, Sendable {
    package let state: UInt64
    package let step: Int
  }

  /// Each state once, in order of appearance.
  package private(set) var visits: [Visit] = []
  /// By state: the number of its visit.
  private var numbers = DigestTable(expecting: usualVisitCount)
  /// Each mark once, with the step likewise.
  package private(set) var marks: [(mark: Mark, step: Int)] = []
  private var passed = MarkSet()
  private var step = 0

  /// By `Action.kindNumber`.
  private static let verbs = PreparedTexts(Action.verbs)
  /// Most runs come to no more states: a kilobyte.
  private static let usualVisitCount = 62

  package init() {}

  mutating func beginStep() { step += 1 }

  /// To be called after each action. Costs about as much as looking at every registered instance.
  package mutating func note(_ action: Action, in world: World) {
    var digest = Digest(seed: world.shape(around: action.context))
    StateCoverage.verbs.feed(action.kindNumber, into: &digest)
    if case .step(_, let phase) = action { digest.feed(phase.rawValue) }
    for case .failed(let failure) in world.graph.result.events {
      // By number where there is one: to look a name up takes as long as all the rest.
      switch FailureName(failure) {
      case .error(let code): digest.feed(code.rawValue)
      case let name: digest.feed(name.text)
      }
    }
    visit(digest.value)
    if !world.graph.marks.hasSameMarks(as: passed) {
      for mark in world.graph.marks.marks(since: passed) { marks.append((mark, step)) }
      passed = world.graph.marks
    }
  }

  private mutating func visit(_ state: UInt64) {
    if !numbers.putFirst(visits.count, for: state) { return }
    if visits.isEmpty { visits.reserveCapacity(StateCoverage.usualVisitCount) }
    visits.append(Visit(state: state, step: step))
  }
}
