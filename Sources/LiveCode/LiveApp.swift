import Determinism
import Execution

/// What the body of a campaign on code gets: choices that the seed makes, and a place for the
/// functions of the app that are called in an order of its choice.
package final class LiveApp: @unchecked Sendable {
  let run: LiveRun
  fileprivate var actions: [(name: String, body: () throws -> Void)] = []

  init(_ run: LiveRun) { self.run = run }

  /// A number in `0..<bound`; 0 is the simplest.
  package func number(below bound: Int) -> Int { run.choices.draw(below: bound, from: .workload) }

  /// Declares a function of the app: after the body, such functions are called at random.
  package func declare(_ name: String, _ body: @escaping () throws -> Void) {
    actions.append((name, body))
  }

  /// Declares one that is begun as a task: what the user does next does not wait for its end.
  package func declare(_ name: String, _ body: @escaping () async throws -> Void) {
    actions.append((name, { [run] in run.begin(name, body) }))
  }

  /// Lets go of the functions.
  func forget() { actions = [] }

  /// Calls so many functions, with turns of the main run loop in between. Choice 0 calls none, so
  /// that a shrinker can leave out any of them.
  func callActions(_ count: Int) throws {
    guard !actions.isEmpty else { return }
    for _ in 0..<count {
      let start = run.choices.position(in: .workload)
      let choice = number(below: actions.count + 1)
      if choice > 0 {
        let action = actions[choice - 1]
        try run.call(action.name, action.body)
        // What the user does next may come before or after what this has set off.
        if number(below: 2) == 1 { run.runMainLoop(milliseconds: 20) }
      }
      run.choices.closeSpan(from: start, in: .workload)
    }
  }
}
