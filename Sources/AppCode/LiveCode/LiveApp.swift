import Determinism
import Execution

/// The argument of a campaign's body. It draws choices from the seed, and collects functions of the
/// app that are called in random order.
package final class LiveApp: @unchecked Sendable {
  let run: LiveRun
  fileprivate var actions: [(name: String, body: () throws -> Void)] = []

  init(_ run: LiveRun) { self.run = run }

  /// Draws a number in `0..<bound`. The simplest number is 0.
  package func number(below bound: Int) -> Int { run.choices.draw(below: bound, from: .workload) }

  /// Declares a function of the app. After the body, declared functions are called at random.
  package func declare(_ name: String, _ body: @escaping () throws -> Void) {
    actions.append((name, body))
  }

  /// Declares an asynchronous function of the app, which begins as a task. The next call does not
  /// wait for the task's end.
  package func declare(_ name: String, _ body: @escaping () async throws -> Void) {
    actions.append((name, { [run] in run.begin(name, body) }))
  }

  /// Releases the declared functions.
  func forget() { actions = [] }

  /// Calls up to `count` functions, with turns of the main run loop in between. Choice 0 calls no
  /// function, so that a shrinker can omit any call.
  func callActions(_ count: Int) throws {
    guard !actions.isEmpty else { return }
    for _ in 0..<count {
      let start = run.choices.position(in: .workload)
      let choice = number(below: actions.count + 1)
      if choice > 0 {
        let action = actions[choice - 1]
        try run.call(action.name, action.body)
        // The next call may come before or after the work that this call has started.
        if number(below: 2) == 1 { run.runMainLoop(milliseconds: 20) }
      }
      run.choices.closeSpan(from: start, in: .workload)
    }
  }
}
