package import Vocabulary

/// A kind of failure. A campaign reports each kind once, and a shrinker never trades one kind for
/// another.
package enum FailureKind: Hashable, Sendable, CustomStringConvertible {
  /// A finding about the stack.
  case violation(Invariant, at: ViolationSite)
  /// A defect of Faultline: engine and reference model differ.
  case disagreement(Difference)

  /// The subject in which engine and reference model differ, and the action that revealed it.
  package enum Difference: Hashable, Sendable {
    case events(after: Occasion)
    case context(after: Occasion)
    case store(after: Occasion)
    /// A context that merges automatically never merged a save.
    case missingMerge
    /// A turn of a lane differed from the prediction.
    case turn
    /// A lane had work left at the end.
    case unfinished
  }

  /// The kind of action that revealed a difference.
  package enum Occasion: Hashable, Sendable {
    case endOfRun, merge, remoteMerge, wrongQueue, endOfEvent, endOfDelivery
    case step(Step.Kind, Phase)
  }

  /// The violated invariant, or `nil` for a disagreement.
  package var invariant: Invariant? {
    if case .violation(let invariant, _) = self { invariant } else { nil }
  }

  /// The site of the failure, or `nil` for a disagreement.
  package var site: ViolationSite? {
    if case .violation(_, let site) = self { site } else { nil }
  }

  /// The anomaly that names the kind, or `nil` for a disagreement.
  package var anomaly: Anomaly? {
    guard case .violation(let invariant, let site) = self else { return nil }
    guard let anomaly = invariant.definition.anomaly(at: site) else {
      preconditionFailure("\(invariant) has no violation at the site '\(site)'")
    }
    return anomaly
  }

  /// All kinds of violations, in the order of the invariants, which is the order in reports.
  package static let violations: [FailureKind] = Invariant.allCases.flatMap { invariant in
    invariant.definition.anomalies.map { .violation(invariant, at: $0.site) }
  }

  /// Returns the reason that no program can fail this way on `stack`. Returns `nil` if a program
  /// can, and for a disagreement.
  package func impossibility(in stack: Stack, _ quirks: QuirkSet) -> String? {
    let shape = StackShape(stack)
    if site == .stack, anomaly?.takesOwnSteps != false, shape.ownSteps.isEmpty {
      return "the stack has no steps of its own"
    }
    return anomaly?.impossibility(shape, quirks)
  }
}

// MARK: Text

extension FailureKind {
  /// The name of the kind in reports, options and claims, such as "lost update in the store".
  package var name: String {
    switch self {
    case .violation: anomaly?.name ?? ""
    case .disagreement(.events(let occasion)): "disagreement on events: \(occasion.text)"
    case .disagreement(.context(let occasion)): "disagreement on a context: \(occasion.text)"
    case .disagreement(.store(let occasion)): "disagreement on a store: \(occasion.text)"
    case .disagreement(.missingMerge): "disagreement: an automatic merge never came"
    case .disagreement(.turn): "disagreement on a turn"
    case .disagreement(.unfinished): "disagreement: steps were left out"
    }
  }

  package var description: String { name }

  /// Creates the kind with this name, or returns `nil` if none exists.
  ///
  /// - Complexity: A walk over all kinds.
  package init?(_ name: String) {
    if let kind = FailureKind.violations.first(where: { $0.name == name }) {
      self = kind
      return
    }
    let ofLanes: [FailureKind] = [
      .disagreement(.missingMerge), .disagreement(.turn), .disagreement(.unfinished),
    ]
    if let kind = ofLanes.first(where: { $0.name == name }) {
      self = kind
      return
    }
    guard let colon = name.firstIndex(of: ":"),
      let occasion = Occasion(String(name[colon...].dropFirst(2)))
    else { return nil }
    let differences: [Difference] = [
      .events(after: occasion), .context(after: occasion), .store(after: occasion),
    ]
    guard let difference = differences.first(where: { FailureKind.disagreement($0).name == name })
    else { return nil }
    self = .disagreement(difference)
  }
}

extension FailureKind.Occasion {
  /// The name of the occasion in reports.
  package var text: String {
    switch self {
    case .endOfRun: "at the end"
    case .merge: "merge"
    case .remoteMerge: "remote merge"
    case .wrongQueue: "wrong queue"
    case .endOfEvent: "end of event"
    case .endOfDelivery: "end of delivery"
    case .step(let kind, .whole): kind.word
    case .step(let kind, let phase): "\(kind.word) \(phase)"
    }
  }

  fileprivate init?(_ text: String) {
    let fixed: [FailureKind.Occasion] = [
      .endOfRun, .merge, .remoteMerge, .wrongQueue, .endOfEvent, .endOfDelivery,
    ]
    if let occasion = fixed.first(where: { $0.text == text }) {
      self = occasion
      return
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard let kind = words.first.flatMap({ Step.Kind(word: String($0)) }) else { return nil }
    switch words.count {
    case 1: self = .step(kind, .whole)
    case 2:
      let phase = Phase.allCases.first { $0 != .whole && "\($0)" == words[1] }
      guard let phase else { return nil }
      self = .step(kind, phase)
    default: return nil
    }
  }
}

/// The identity of a bug: failures of one kind with one cause are the same bug. Known failures are
/// recognized by it.
package struct FailureIdentity: Hashable, Sendable {
  package let kind: FailureKind
  /// The cause, or `nil` for a disagreement that no planted bug explains.
  package let cause: Cause?

  package init(_ kind: FailureKind, _ cause: Cause?) {
    self.kind = kind
    self.cause = cause
  }
}
