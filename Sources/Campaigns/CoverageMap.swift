import Determinism
import Execution
import SimulatedCoreData

/// Which abstract states and which marks a campaign's runs came to, each with the number of the
/// first run that did.
package struct CoverageMap: Sendable {
  struct FirstRun: Sendable {
    let state: UInt64
    var number: Int
  }

  /// Each state once. Nothing depends on their order: they are counted, sorted, and the least and
  /// the greatest of their numbers asked for.
  private(set) var states: [FirstRun] = []
  /// By state: where it is in `states`.
  private var places = DigestTable()
  /// By mark; 0 if no run came to it.
  var marks = Array(repeating: 0, count: Mark.allCases.count)

  package init() {}

  /// `number` counts runs from 1, in the order in which one process would run them.
  mutating func note(_ stateCoverage: StateCoverage, ofRun number: Int) {
    for visit in stateCoverage.visits { note(visit.state, number) }
    for (mark, _) in stateCoverage.marks { note(mark.rawValue, number) }
  }

  /// Adds what other runs of the campaign came to, which may have come before or after.
  mutating func merge(_ other: CoverageMap) {
    for first in other.states { note(first.state, first.number) }
    for (mark, number) in other.marks.enumerated() where number > 0 { note(mark, number) }
  }

  /// Run `number` came to the state, as others may have.
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

  /// The last runs that came to a state, or a mark, that none before had come to; 0 for none. Costs
  /// a walk over all states.
  package var lastNewState: Int { states.lazy.map(\.number).max() ?? 0 }
  package var lastNewMark: Int { marks.max() ?? 0 }
}
