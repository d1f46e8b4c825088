/// The time that each stage of a campaign took, in seconds, summed over all threads. No decision
/// depends on it. Without a clock every time is 0.
package final class StageTimes: Sendable {
  package enum Stage: Int, CaseIterable, Sendable {
    /// Generating, running and checking programs.
    case running
    /// Reducing failing programs to the steps that the proofs of their failures need.
    case slicing
    /// Diagnosing failing programs and joining them into findings.
    case triage
    case shrinking
    /// Searching for smaller programs to certify the example.
    case proof
    case explanation
  }

  private let seconds = Locked(Stage.allCases.map { _ in 0.0 })

  package init() {}

  package func seconds(of stage: Stage) -> Double { seconds.withLock { $0[stage.rawValue] } }

  /// Performs `work`, and adds its time to a stage. Subtracts the time from the `outer` stage that
  /// contains the work.
  func measure<Result>(
    _ stage: Stage, within outer: Stage? = nil, _ clock: () -> Double?, _ work: () -> Result
  ) -> Result {
    guard let start = clock() else { return work() }
    let result = work()
    let time = clock().map { $0 - start } ?? 0
    seconds.withLock { seconds in
      seconds[stage.rawValue] += time
      if let outer { seconds[outer.rawValue] -= time }
    }
    return result
  }
}
