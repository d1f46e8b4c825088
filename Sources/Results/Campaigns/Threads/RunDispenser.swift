import Determinism
import Execution

/// A range of a campaign's runs, which distributes them to threads in order.
///
/// A thread that takes a run makes it. The finished runs are therefore the first runs of the range,
/// without a gap.
final class RunDispenser: Sendable {
  private let campaign: FuzzCampaign
  private let part: Shard
  private let end: Int
  private let state: Locked<State>
  /// The number of steps in a round, which takes a few tenths of a second.
  private let stepLimit: Int

  private static let stepLimitOfAThread = 50_000

  private struct State {
    /// The number of the next run that a thread may take.
    var next: Int
    var stepCount = 0
    var hasBeenStopped = false
  }

  init(of campaign: FuzzCampaign, after share: borrowing ShardResult) {
    self.campaign = campaign
    part = share.part
    end = campaign.settings.runs + 1
    state = Locked(State(next: share.reach + 1))
    stepLimit = RunDispenser.stepLimitOfAThread * campaign.jobs
  }

  /// Makes runs on the current thread, and returns their result.
  ///
  /// Ends with the round, or when `shouldStop`, which is called before each run, returns true. In
  /// that case the other threads end too.
  func work(_ shouldStop: () -> Bool) -> ShardResult {
    var share = ShardResult(part, modelCount: campaign.settings.models.count)
    let campaign = campaign.forOneThread()
    var guidance: Guidance? = nil
    var choices = Choices(seed: 0)
    var storage = RunStorage()
    while let number = take(shouldStop) {
      let before = share.steps
      campaign.run(number, into: &share, &guidance, &choices, in: &storage)
      state.withLock { $0.stepCount += share.steps - before + 1 }
    }
    return share
  }

  /// Returns the number of the next run, which the calling thread must make. Returns nil if the
  /// thread should make no more runs.
  private func take(_ shouldStop: () -> Bool) -> Int? {
    while !isStopped {
      let mustStop = shouldStop()
      let number = state.withLock { state -> Int? in
        if mustStop { state.hasBeenStopped = true }
        guard !state.hasBeenStopped, state.stepCount < stepLimit else { return nil }
        defer { state.next += 1 }
        return state.next
      }
      guard let number, number < end else { return nil }
      if part.contains(number) { return number }
    }
    return nil
  }

  var isStopped: Bool { state.withLock { $0.hasBeenStopped } }

  /// The number of the last run that was reached.
  var reach: Int { min(state.withLock { $0.next }, end) - 1 }
}
