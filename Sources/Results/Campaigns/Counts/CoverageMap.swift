import Determinism
import Execution
import SimulatedCoreData

/// The abstract states and marks that the runs of a campaign reached, each with the number of the
/// first run that reached it.
package struct CoverageMap: Sendable {
  struct FirstRun: Sendable {
    let state: UInt64
    var number: Int
  }

  /// The reached states, each of them once. Their order has no meaning: results depend only on
  /// their count, their sorted order, and their least and greatest numbers.
  private(set) var states: [FirstRun] = []
  /// The index of each state in `states`.
  private var places = DigestTable()
  /// The number of the first run that reached each mark, indexed by mark. 0 if no run reached it.
  var marks = Array(repeating: 0, count: Mark.allCases.count)

  package init() {}

  /// Adds the coverage of a run. `number` counts runs from 1, in the order of a single process.
  mutating func note(_ stateCoverage: StateCoverage, ofRun number: Int) {
    for visit in stateCoverage.visits { note(visit.state, number) }
    for (mark, _) in stateCoverage.marks { note(mark.rawValue, number) }
  }

  /// Adds the coverage of other runs of the campaign, in any order.
  mutating func merge(_ other: CoverageMap) {
    for first in other.states { note(first.state, first.number) }
    for (mark, number) in other.marks.enumerated() where number > 0 { note(mark, number) }
  }

  /// Records that run `number` reached the state, perhaps not for the first time.
  mutating func note(_ state: UInt64, _ number: Int) {
    if let place = places.number(of: state) {
      if number < states[place].number { states[place].number = number }
    } else {
      places.put(states.count, for: state)
      states.append(FirstRun(state: state, number: number))
    }
  }

  private mutating func note(_ mark: Int, _ number: Int) {
    if marks[mark] == 0 || number < marks[mark] { marks[mark] = number }
  }

  /// The number of the last run that reached a new state, or 0 if no run did. `lastNewMark` is the
  /// same for marks.
  ///
  /// - Complexity: O(*n*) in the number of states.
  package var lastNewState: Int { states.lazy.map(\.number).max() ?? 0 }
  package var lastNewMark: Int { marks.max() ?? 0 }
}
