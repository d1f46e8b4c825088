package import Determinism

/// Policies, of which each run takes one by chance.
package struct Portfolio: Sendable {
  /// The simplest first: a shrinker goes there.
  package let shares: [(policy: SchedulingPolicy, weight: Int)]

  package init(_ shares: [(policy: SchedulingPolicy, weight: Int)]) { self.shares = shares }

  /// A third of the runs in order, which are cheap, find what needs no schedule, and are nearly the
  /// only ones to find what any interference hides. Of the others none is best at everything:
  /// uniform walks are at deadlocks, lost updates and stale merges, priorities at what has to come
  /// last, selective walks at windows that have to be hit twice. Each alone misses something.
  ///
  /// Measured on the bugs of `Tests/QualityTests`, 8,000 schedules each: the rarest, the window, is
  /// shown by 1.2 % of the runs (95 % interval 1.0–1.5); with 60:25:15 instead of 50:20:30 it was
  /// 1.0 % (0.8–1.3), and the deadlocks 2 % more frequent.
  package static var standard: Portfolio {
    Portfolio([(.inOrder, 50), (.uniformWalk, 50), (.pct, 20), (.selectiveWalk, 30)])
  }

  package func policy(_ choices: inout Choices) -> SchedulingPolicy {
    shares[choices.pick(weights: shares.map(\.weight), from: .shape)].policy
  }
}
