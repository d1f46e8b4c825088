import Determinism
import Scenario
package import SimulatedCoreData
package import Vocabulary

/// The abstract states and the marks that a run reached. An abstract state is the shape of the
/// stack around an action's context, with the kind of the action and its result.
///
/// States have the same numbers in every build and process, so campaigns can count and compare
/// them.
package struct StateCoverage: Sendable {
  /// An abstract state, and the first step of the program that reached it, from 1.
  package struct Visit: Hashable, Sendable {
    package let state: UInt64
    package let step: Int
  }

  /// Each state once, in order of appearance.
  package private(set) var visits: [Visit] = []
  /// The number of the first visit, indexed by state.
  private var numbers = DigestTable(expecting: usualVisitCount)
  /// Each mark once, with the first step that passed it.
  package private(set) var marks: [(mark: Mark, step: Int)] = []
  private var passed = MarkSet()
  private var step = 0

  /// Prepared texts, indexed by `Action.kindNumber`.
  private static let verbs = PreparedTexts(Action.verbs)
  /// The number of states that most runs do not exceed. That many states take a kilobyte.
  private static let usualVisitCount = 62

  package init() {}

  mutating func beginStep() { step += 1 }

  /// Notes the state after an action.
  ///
  /// - Complexity: About the cost of examining every registered instance.
  package mutating func note(_ action: Action, in world: World) {
    var digest = Digest(seed: world.shape(around: action.context))
    StateCoverage.verbs.feed(action.kindNumber, into: &digest)
    if case .step(_, let phase) = action { digest.feed(phase.rawValue) }
    for case .failed(let failure) in world.graph.result.events {
      // An error with a code is fed by number, because a lookup of its name is slow.
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
