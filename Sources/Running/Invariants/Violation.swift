package import Failures
package import ObjectModel
package import Vocabulary

/// A violation of an invariant. A violation is a finding about a stack, never by itself a defect of
/// Faultline.
package struct Violation: Hashable, Sendable {
  package var invariant: Invariant
  /// The context that showed the violation.
  package var context: ContextID?
  package var object: ObjectID?
  package var property: PropertyID?
  /// The values that prove the violation: the previous or expected value, then the value that
  /// replaced it.
  package var values: [Value] = []
  /// A description where IDs do not suffice, such as the cycle of a deadlock.
  package var detail: String?
  /// The names of the awaited queues of a deadlock, in the order of the cycle.
  package var waits: [String] = []
  /// The other context that is involved.
  package var otherContext: ContextID?
  /// The step that the violation concerns, if it concerns no value.
  package var step: AddressedStep?
  /// The reads and writes of contexts, in order, if a proof was requested.
  package var proof: [ProofLine] = []
  /// The program's names of the mentioned objects. Set by the run.
  package var names: [NamedObject] = []
  package var site = ViolationSite.program
  /// The author of the step that showed the violation, or of its cause if the check knows it. For a
  /// deadlock, the part in the cycle, if any. `nil` until the run has set it.
  package var author: Author?
  package var subject: FailureSubject?
  /// The ways in which the objects were changed before, or `nil` if they were not noted.
  package var ways: ChangeWays?
  /// The number of steps performed by then. Set by the run.
  package var stepNumber = 0
  /// A Boolean value that indicates whether the violation was found at rest, without a more precise
  /// step.
  package var isFoundAtEnd = false

  package struct NamedObject: Hashable, Sendable {
    package let object: ObjectID
    package let name: ObjectName

    package init(object: ObjectID, name: ObjectName) {
      self.object = object
      self.name = name
    }
  }

  /// Every object that a report of the violation has to name.
  package var objects: [ObjectID] {
    var objects: [ObjectID] = []
    if let object { objects.append(object) }
    for value in values { if let id = value.objectID { objects.append(id) } }
    // A loop over lines would copy them, so this loop uses indices.
    for index in proof.indices { proof[index].appendObjects(to: &objects) }
    return objects
  }

  /// The moment in the run, in words. A violation before the first step counts as found at the end.
  package var place: String {
    isFoundAtEnd || stepNumber == 0 ? "at the end" : "after step \(stepNumber)"
  }

  /// The kind of failure, after which reports name the violation.
  package var kind: FailureKind { .violation(invariant, at: site) }

  /// The data of a signature. Violations with equal sources have equal signatures.
  package struct SignatureSource: Equatable {
    let kind: FailureKind
    let context: ContextID?
    let author: Author?
    let ways: ChangeWays?
    let subject: FailureSubject?
  }

  package var signatureSource: SignatureSource {
    SignatureSource(kind: kind, context: context, author: author, ways: ways, subject: subject)
  }

  /// Returns the signature under which campaigns count the violation, in a run on `stack`.
  package func signature(in stack: Stack) -> FailureSignature {
    guard let ways else { return FailureSignature(kind) }
    return FailureSignature(
      kind,
      FailureSignature.Detail(
        part: author.flatMap { DesignPart($0, in: stack) },
        role: context.map { ContextRole(of: $0, in: stack) }, ways: ways,
        subject: subject))
  }

  package init(
    _ invariant: Invariant, in context: ContextID? = nil, object: ObjectID? = nil,
    property: PropertyID? = nil, values: [Value] = [], detail: String? = nil
  ) {
    assert(values.count <= 2, "a violation has the value expected and the one found")
    assert(property == nil || object != nil, "a property of no object")
    self.invariant = invariant
    self.context = context
    self.object = object
    self.property = property
    self.values = values
    self.detail = detail
  }
}
