import Synchronization

/// Some of a campaign's runs, in order, for threads to take.
///
/// A thread that takes a run makes it, so those that were made are the first ones, without a gap.
final class RunDispenser: Sendable {
  private let campaign: FuzzCampaign
  private let part: Shard
  private let end: Int
  /// The number of the next run that a thread may take.
  private let next: Atomic<Int>
  private let stepCount = Atomic(0)
  private let hasBeenStopped = Atomic(false)
  /// So many steps are a round: a few tenths of a second.
  private let stepLimit: Int

  private static let stepLimitOfAThread = 16_000

  init(of campaign: FuzzCampaign, after share: borrowing ShardResult) {
    self.campaign = campaign
    part = share.part
    end = campaign.settings.runs + 1
    next = Atomic(share.reach + 1)
    stepLimit = RunDispenser.stepLimitOfAThread * campaign.jobs
  }

  /// What one thread makes of it. Ends with the round, or when `shouldStop`, asked before each run,
  /// says so; then the other threads end, too.
  func work(_ shouldStop: () -> Bool) -> ShardResult {
    var share = ShardResult(part, modelCount: campaign.settings.models.count)
    var guidance: Guidance? = nil
    while let number = take(shouldStop) {
      let before = share.steps
      campaign.run(number, into: &share, &guidance)
      stepCount.add(share.steps - before + 1, ordering: .relaxed)
    }
    return share
  }

  /// The next run, which the thread that takes it has to make; nil if this thread should make no
  /// more.
  private func take(_ shouldStop: () -> Bool) -> Int? {
    while !isStopped, stepCount.load(ordering: .relaxed) < stepLimit {
      if shouldStop() {
        hasBeenStopped.store(true, ordering: .relaxed)
        return nil
      }
      let number = next.add(1, ordering: .relaxed).oldValue
      if number >= end { return nil }
      if part.contains(number) { return number }
    }
    return nil
  }

  var isStopped: Bool { hasBeenStopped.load(ordering: .relaxed) }

  /// The number of the last run that was reached.
  var reach: Int { min(next.load(ordering: .relaxed), end) - 1 }
}
