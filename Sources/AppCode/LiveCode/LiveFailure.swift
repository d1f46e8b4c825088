package import Failures
import Invariants
import PropertyTesting

/// A way in which a run of code failed.
package struct LiveFailure: IdentifiedFailure {
  package enum Kind: Hashable, Sendable {
    case violation(FailureKind)
    case disagreement
    /// A function of the app, or the body, threw an error of this type.
    case thrown(String)
    /// An expectation of a test failed.
    case assertion
    /// Code waits for something that no other code will ever do.
    case standstill
    /// Code trapped or did not return, at this place of the source.
    case trap(String)
  }

  package let kind: Kind
  /// A description with the values that prove the failure.
  package let text: String
  /// The name of the context in which an invariant was violated, or nil for other failures.
  package var context: String?
  /// The signature of a violation, which distinguishes it from other violations of its kind. Other
  /// failures have none.
  package var signature: FailureSignature?
  /// A Boolean value that indicates whether runs with the same choices fail again. If not, no
  /// further run is made, because it might wait forever.
  var isRepeatable = true

  /// A Boolean value that indicates whether the code could not continue, or detected the failure
  /// itself. A test fails for such a failure even if it is run in one order only.
  package var isFatal: Bool {
    guard case .violation(let kind) = kind else { return true }
    let fatal: [Invariant] = [.WaitForGraphIsAcyclic, .EveryBlockRuns, .EveryStepTerminates]
    return kind.invariant.map(fatal.contains) ?? true
  }

  package var identity: String {
    if case .trap(let site) = kind { return "trap \(site)" }
    return signature?.text ?? name
  }

  /// The name in reports, such as `lost update`.
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
  /// The names of failures other than violations and errors.
  package static let otherNames = [Kind.disagreement, .assertion, .standstill, .trap("")].map {
    LiveFailure(kind: $0, text: "").name
  }

  /// The rank in reports. A defect of Faultline comes first, then code that could not continue or
  /// detected a failure itself. Violations follow, the most severe first.
  package var severityRank: Int {
    switch kind {
    case .disagreement: 0
    case .thrown, .assertion, .standstill, .trap: 1
    case .violation(let kind): kind.severityRank
    }
  }

  /// Returns whether `other` counts as this failure.
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
