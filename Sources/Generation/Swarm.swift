package import Determinism
package import Vocabulary

/// Which part of all that is possible one run uses, and how much of each.
///
/// Swarm testing: a run without rollbacks, or with many, or with one chain of contexts, finds what
/// the average run does not. All of it is decided before the first step, and the simplest is the
/// average run.
package struct Swarm: Hashable, Sendable {
  /// Where a new context of a generated stack is put.
  package enum Tree: Int, CaseIterable, Sendable {
    /// Wherever one can stand.
    case any
    /// Below the one before.
    case chain
    /// Below the first.
    case siblings
    /// On a coordinator, as long as there may be more roots.
    case roots
  }

  /// What is written into attributes.
  package enum Values: Int, CaseIterable, Sendable {
    /// Mostly each value a new one, so that its writer is known.
    case distinct
    /// Half of them from a handful, so that two writers agree now and then.
    case few
    /// Often nil.
    case nils
    /// Often what is there already.
    case unchanged
  }

  /// By kind of step: 0 for none, `usualShare` for as many as its weight says.
  package private(set) var shares: [Int] = []
  let stepFilter: StepFilter
  /// Whether the stack was designed, not generated.
  let isDesigned: Bool
  package private(set) var tree = Tree.any
  package private(set) var values = Values.distinct

  package static let usualShare = 2
  /// What a kind's share is drawn from, the first the likeliest by far.
  private static let drawnShares = [usualShare, 0, 1, 6]
  private static let weights = Weights([8, 2, 1, 2])
  /// Of a kind that is asked for: some, in any case.
  private static let pinnedWeights = Weights([8, 0, 1, 2])

  /// `workloads` are what programs are about; none is a bit of everything, and more of what apps do
  /// where the stack is a design of theirs.
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
    // Most runs leave nothing out, and need not look each kind up.
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
    // Less of these is less of everything.
    if kind.isIndispensable { return usualShare }
    let weights = stepFilter.only.contains(kind) ? pinnedWeights : weights
    return drawnShares[choices.pick(weights: weights, from: .shape)]
  }

  package func share(of kind: StepGenerator.Kind) -> Int { shares[kind.rawValue] }
}

extension Swarm {
  /// What is special about the run: `without rollback, undo; much set; few values; a chain of
  /// contexts; 4 contexts on 3 levels`. Unless it is to be whole, without what is rare in any run:
  /// one or two lines for most.
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
      ("little", isWhole ? names { 1..<Swarm.usualShare ~= $0 } : ""),
      ("much", names { $0 > Swarm.usualShare }),
    ]
    var parts = shares.filter { !$0.kinds.isEmpty }.map { "\($0.word) \($0.kinds)" }
    switch values {
    case .distinct: break
    case .few: parts.append("few values")
    case .nils: parts.append("many nils")
    case .unchanged: parts.append("many values set that are there")
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
