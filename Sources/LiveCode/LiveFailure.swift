package import Failures
import Invariants
import PropertyTesting

/// A way in which a run of code failed.
package struct LiveFailure: IdentifiedFailure {
  package enum Kind: Hashable, Sendable {
    case violation(FailureKind)
    case disagreement
    /// A function of the app, or the body, has thrown.
    case thrown(String)
    /// A test found something else than it expects.
    case assertion
    /// Some code waits for what no other code will ever do.
    case standstill
    /// Code has not returned, at this place of the source.
    case trap(String)
  }

  package let kind: Kind
  /// In words, with the values that prove it.
  package let text: String
  /// The name of the context in which an invariant was violated; nil for none.
  package var context: String?
  /// A violation's signature, which tells it apart from others of its kind; nil for other failures.
  package var signature: FailureSignature?
  /// A Boolean value that indicates whether runs of the same choices fail again. If not, no further
  /// run is made, as it might wait without end.
  var isRepeatable = true

  /// A Boolean value that indicates whether the code cannot have gone on, or has found itself that
  /// something is wrong. Such a failure also fails a test that asks for no invariants.
  package var isFatal: Bool {
    guard case .violation(let kind) = kind else { return true }
    let fatal: [Invariant] = [.WaitForGraphIsAcyclic, .EveryBlockRuns, .EveryStepTerminates]
    return kind.invariant.map(fatal.contains) ?? true
  }

  package var identity: String {
    if case .trap(let site) = kind { return "trap \(site)" }
    return signature?.text ?? name
  }

  /// The name in reports: `lost update`.
  package var name: String {
    switch kind {
    case .violation(let kind): kind.name
    case .disagreement: "disagreement of engine and reference model"
    case .thrown(let type): "\(LiveFailure.errorPrefix)\(type)"
    case .assertion: "failed assertion"
    case .standstill: "code that waits for ever"
    case .trap: "trap"
    }
  }

  package static let errorPrefix = "error "
  /// The names of failures that are no violations, but for errors.
  package static let otherNames = [Kind.disagreement, .assertion, .standstill, .trap("")].map {
    LiveFailure(kind: $0, text: "").name
  }

  /// The order of reports: a defect of Faultline first, then code that cannot go on or has found
  /// itself that something is wrong, then violations, the most severe first.
  package var severityRank: Int {
    switch kind {
    case .disagreement: 0
    case .thrown, .assertion, .standstill, .trap: 1
    case .violation(let kind): kind.severityRank
    }
  }

  /// A Boolean value that indicates whether `other` is this failure.
  func admits(_ other: LiveFailure) -> Bool {
    guard let signature, let theirs = other.signature else { return identity == other.identity }
    return signature.admits(theirs)
  }
}

/// A failed expectation of a test, thrown to end a run.
package struct LiveAssertion: Error, CustomStringConvertible {
  package let description: String
  package let file: String
  package let line: Int

  package init(_ description: String, file: String, line: Int) {
    (self.description, self.file, self.line) = (description, file, line)
  }
}
