package import Determinism

/// Policies from which each run draws one.
package struct Portfolio: Sendable {
  /// The policies with their weights, simplest first, because a shrinker moves towards the first.
  package let shares: [(policy: SchedulingPolicy, weight: Int)]

  package init(_ shares: [(policy: SchedulingPolicy, weight: Int)]) { self.shares = shares }

  /// The policies used by default. A third of the runs are in order. Such runs are cheap and find
  /// bugs that need no schedule. Hardly any other runs find bugs that any interference hides.
  ///
  /// None of the other policies is best at everything. Uniform walks are best at deadlocks, lost
  /// updates and stale merges. Priorities are best at events that must come last. Selective walks
  /// are best at windows that must be hit twice. Each policy alone misses some bugs.
  ///
  /// Measured on the bugs of `Tests/QualityTests`, 8,000 schedules each. The rarest bug, the
  /// window, shows in 1.2 % of the runs (95 % interval 1.0–1.5). With 60:25:15 instead of 50:20:30
  /// it showed in 1.0 % (0.8–1.3), and deadlocks were 2 % more frequent.
  package static var standard: Portfolio {
    Portfolio([(.inOrder, 50), (.uniformWalk, 50), (.pct, 20), (.selectiveWalk, 30)])
  }

  package func policy(_ choices: inout Choices) -> SchedulingPolicy {
    shares[choices.pick(weights: shares.map(\.weight), from: .shape)].policy
  }
}
