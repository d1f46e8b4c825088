package import Determinism

/// Policies, of which each run takes one by chance.
package struct Portfolio: Sendable {
  /// The simplest first: a shrinker goes there.
  package let shares: [(policy: SchedulingPolicy, weight: Int)]

  package init(_ shares: [(policy: SchedulingPolicy, weight: Int)]) { self.shares = shares }

  /// A third of the runs in order, which are cheap, find what needs no schedule, and are the only ones
  /// to find what any interference hides. Of the others none is best at everything: uniform walks are
  /// at deadlocks, lost updates and stale merges, priorities at what has to come last, selective walks
  /// at windows that have to be hit twice. The weights are those with which the rarest of the bugs in
  /// `Tests/QualityTests` is least rare, as long as the rest stay within a sixth of their best.
  package static var standard: Portfolio {
    Portfolio([(.inOrder, 50), (.uniformWalk, 50), (.pct, 20), (.selectiveWalk, 30)])
  }

  package func policy(_ choices: inout Choices) -> SchedulingPolicy {
    shares[choices.pick(weights: shares.map(\.weight), from: .shape)].policy
  }
}
