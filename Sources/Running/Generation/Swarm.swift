package import Determinism
package import Vocabulary

/// The features that one run uses, and the share of each.
///
/// This is swarm testing: a run without rollbacks, or with many, or with a chain of contexts, finds
/// failures that the average run does not. All features are drawn before the first step. The
/// simplest swarm is the average run.
package struct Swarm: Hashable, Sendable {
  /// The placement of a new context in a generated stack.
  package enum Tree: Int, CaseIterable, Sendable {
    /// Below any possible parent.
    case any
    /// Below the previous context.
    case chain
    /// Below the first context.
    case siblings
    /// On a coordinator, as long as more roots are allowed.
    case roots
  }

  /// The choice of values for attributes.
  package enum Values: Int, CaseIterable, Sendable {
    /// Mostly a new value each time, so that the writer of a value is known.
    case distinct
    /// Half of the values from a small set, so that two writers sometimes agree.
    case few
    /// Often nil.
    case nils
    /// Often the present value.
    case unchanged
  }

  /// The shares, indexed by kind of step. 0 excludes the kind, and `usualShare` leaves its weight
  /// as it is.
  package private(set) var shares: [Int] = []
  let stepFilter: StepFilter
  /// A Boolean value that indicates whether the stack was designed, not generated.
  let isDesigned: Bool
  package private(set) var tree = Tree.any
  package private(set) var values = Values.distinct

  package static let usualShare = 2
  /// The possible shares of a kind. The first is the most probable by far.
  private static let drawnShares = [usualShare, 0, 1, 6]
  private static let weights = Weights([8, 2, 1, 2])
  /// The weights of the shares for a requested kind, which is never excluded.
  private static let pinnedWeights = Weights([8, 0, 1, 2])

  /// Draws a swarm. `workloads` are the subjects of programs. Without workloads, programs mix
  /// everything, and use workloads more often on a designed stack.
  package init(
    stepFilter: StepFilter = StepFilter(), workloads: [Workload] = [], isDesigned: Bool = false,
    _ choices: inout Choices
  ) {
    self.stepFilter = stepFilter
    self.isDesigned = isDesigned
    if !isDesigned { tree = Tree.allCases[choices.pick(weights: [6, 1, 1, 1], from: .shape)] }
    values = Values.allCases[choices.pick(weights: [9, 1, 1, 1], from: .shape)]
    shares.reserveCapacity(StepGenerator.Kind.allCases.count)
    let weights = Swarm.weights
    // Most runs exclude nothing and need no lookup for each kind.
    let isFiltered = !stepFilter.isEmpty
    for kind in StepGenerator.Kind.allCases {
      if isFiltered || kind.isOnDemand || kind.isIndispensable {
        shares.append(Swarm.share(of: kind, stepFilter, &choices))
      } else {
        shares.append(Swarm.drawnShares[choices.pick(weights: weights, from: .shape)])
      }
    }
    let kinds = workloads.map(\.kind)
    for workload in Workload.allCases where stepFilter.allows(workload.kind) {
      let index = workload.kind.rawValue
      if kinds.contains(workload.kind) {
        shares[index] = 32 * Swarm.usualShare
      } else if !kinds.isEmpty {
        shares[index] = 0
      } else if isDesigned {
        shares[index] *= 4
      }
    }
  }

  private static func share(
    of kind: StepGenerator.Kind, _ stepFilter: StepFilter, _ choices: inout Choices
  ) -> Int {
    guard stepFilter.allows(kind) else { return 0 }
    // Indispensable kinds keep the usual share, because a smaller share would weaken the whole run.
    if kind.isIndispensable { return usualShare }
    let weights = stepFilter.only.contains(kind) ? pinnedWeights : weights
    return drawnShares[choices.pick(weights: weights, from: .shape)]
  }

  package func share(of kind: StepGenerator.Kind) -> Int { shares[kind.rawValue] }
}

extension Swarm {
  /// Returns a text of the run's special features, such as `without rollback; few values; contexts
  /// in a chain; 4 contexts on 3 levels`. Unless `isWhole`, omits rare kinds, so that the text has
  /// one or two lines.
  package func text(for stack: Stack, isWhole: Bool) -> String {
    func names(_ chosen: (Int) -> Bool) -> String {
      StepGenerator.Kind.allCases.filter { kind in
        chosen(share(of: kind)) && (isWhole || kind.weight >= 8 || kind.isFailure)
          && (share(of: kind) > 0 || stepFilter.allows(kind))
          && stack.contextIDs.contains { kind.suitability(for: $0, in: stack) > 1 }
      }.map(\.name).joined(separator: ", ")
    }
    let shares: [(word: String, kinds: String)] = [
      ("without", names { $0 == 0 }),
      ("rarely", isWhole ? names { 1..<Swarm.usualShare ~= $0 } : ""),
      ("often", names { $0 > Swarm.usualShare }),
    ]
    var parts = shares.filter { !$0.kinds.isEmpty }.map { "\($0.word) \($0.kinds)" }
    switch values {
    case .distinct: break
    case .few: parts.append("few values")
    case .nils: parts.append("many nils")
    case .unchanged: parts.append("many assignments of unchanged values")
    }
    switch tree {
    case .any: break
    case .chain: parts.append("contexts in a chain")
    case .siblings: parts.append("contexts side by side")
    case .roots: parts.append("many roots")
    }
    let depth = stack.contextIDs.map { stack.chain(from: $0).count }.max() ?? 0
    let count = stack.contexts.count
    parts.append(
      "\(count) \(count == 1 ? "context" : "contexts") on \(depth) \(depth == 1 ? "level" : "levels")"
    )
    return parts.joined(separator: "; ")
  }
}
