package import Determinism
package import SimulatedDispatch

/// Which schedules the runs of a campaign follow.
package enum SearchStrategy: Hashable, Sendable {
  /// Each run one policy of the standard portfolio.
  case portfolio
  /// Every schedule of each program that is small enough; of the others, one of the portfolio's.
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

  /// A line for users that have to choose one.
  package var summary: String {
    switch self {
    case .portfolio: "a measured mixture of the others (default)"
    case .exhaustive: "every schedule of a program that has few lanes and steps"
    case .only(let policy): policy.summary
    }
  }

  /// The policy of one run.
  package func policy(_ choices: inout Choices) -> SchedulingPolicy {
    switch self {
    case .portfolio, .exhaustive: Portfolio.standard.policy(&choices)
    case .only(let policy): policy
    }
  }
}
