package import Determinism
package import SimulatedDispatch

/// Selects the schedules of a campaign's runs.
package enum SearchStrategy: Hashable, Sendable {
  /// Each run follows one policy of the standard portfolio.
  case portfolio
  /// Runs every schedule of each program that is small enough. Other programs follow one policy of
  /// the portfolio.
  case exhaustive
  case only(SchedulingPolicy)

  package static var all: [SearchStrategy] {
    [.portfolio, .exhaustive] + SchedulingPolicy.allCases.map { .only($0) }
  }

  package var name: String {
    switch self {
    case .portfolio: "portfolio"
    case .exhaustive: "exhaustive"
    case .only(let policy): policy.rawValue
    }
  }

  /// A one-line summary for users who choose a strategy.
  package var summary: String {
    switch self {
    case .portfolio: "a mixture of the other strategies (default)"
    case .exhaustive: "every schedule of a program that has few lanes and steps"
    case .only(let policy): policy.summary
    }
  }

  /// Returns the policy of one run.
  package func policy(_ choices: inout Choices) -> SchedulingPolicy {
    switch self {
    case .portfolio, .exhaustive: Portfolio.standard.policy(&choices)
    case .only(let policy): policy
    }
  }
}
