/// The time that each stage of a campaign took, in seconds of all its threads together. Decides
/// nothing: without a clock every time is 0.
package final class StageTimes: Sendable {
  package enum Stage: Int, CaseIterable, Sendable {
    /// Programs are generated, run and checked.
    case running
    /// Failing programs are cut down to what the proofs of their failures mention.
    case slicing
    /// Failing programs are diagnosed, and joined as findings.
    case triage
    case shrinking
    /// Smaller programs are searched, to certify the example.
    case proof
    case explanation
  }

  private let seconds = Locked(Stage.allCases.map { _ in 0.0 })

  package init() {}

  package func seconds(of stage: Stage) -> Double { seconds.withLock { $0[stage.rawValue] } }

  /// Does `work`, and adds the time that it takes to a stage. Work of an inner stage is no part of
  /// the `outer` one that it interrupts.
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
