package import Failures
package import ObjectModel
package import Vocabulary

/// An invariant that did not hold: a finding about a stack, never a defect of ours by itself.
package struct Violation: Hashable, Sendable {
  package var invariant: Invariant
  /// Where it showed.
  package var context: ContextID?
  package var object: ObjectID?
  package var property: PropertyID?
  /// The values that prove it, in the order of `Invariant`'s check: what was there or expected,
  /// then what came instead.
  package var values: [Value] = []
  /// In words, where ids do not say enough: the cycle of a deadlock.
  package var detail: String?
  /// Of a deadlock: the names of the queues that are waited for, in the order of the cycle.
  package var waits: [String] = []
  /// The other context that has to do with it.
  package var otherContext: ContextID?
  /// The step that it is about, where no value is.
  package var step: AddressedStep?
  /// What contexts saw and did, in order, if that was asked for.
  package var proof: [ProofLine] = []
  /// What the program calls the objects that this mentions; set by the run.
  package var names: [NamedObject] = []
  package var site = ViolationSite.program
  /// The author of the step that showed it, unless the invariant knows who brought it about; of a
  /// deadlock, the part that is in the cycle, if any is. Nil until the run has set it.
  package var author: Author?
  /// The promise that is broken, by its text.
  package var promise: String?
  /// How its objects were changed before; nil if that was not noted.
  package var ways: ChangeWays?
  /// How many steps had been performed; set by the run.
  package var stepNumber = 0
  /// Whether it was looked for when everything had come to rest, and no step says more of it.
  package var isFoundAtEnd = false

  package struct NamedObject: Hashable, Sendable {
    package let object: ObjectID
    package let name: ObjectName

    package init(object: ObjectID, name: ObjectName) {
      self.object = object
      self.name = name
    }
  }

  /// Every object that its report has to name.
  package var objects: [ObjectID] {
    var objects: [ObjectID] = []
    if let object { objects.append(object) }
    for value in values { if let id = value.objectID { objects.append(id) } }
    // By number: a loop over lines copies them.
    for index in proof.indices { proof[index].appendObjects(to: &objects) }
    return objects
  }

  /// Where in the run it was found. What no step was performed before has come to its end by then.
  package var place: String {
    isFoundAtEnd || stepNumber == 0 ? "at the end" : "after step \(stepNumber)"
  }

  /// What a report names it after.
  package var kind: FailureKind { .violation(invariant, at: site) }

  /// All that its signature is made of: violations of equal sources have one signature.
  package struct SignatureSource: Equatable {
    let kind: FailureKind
    let context: ContextID?
    let author: Author?
    let ways: ChangeWays?
    let promise: String?
  }

  package var signatureSource: SignatureSource {
    SignatureSource(kind: kind, context: context, author: author, ways: ways, promise: promise)
  }

  /// What a campaign counts it under, in a run on `stack`.
  package func signature(in stack: Stack) -> FailureSignature {
    guard let ways else { return FailureSignature(kind) }
    return FailureSignature(
      kind,
      FailureSignature.Detail(
        part: author.flatMap { DesignPart($0, in: stack) },
        role: context.map { ContextRole(of: $0, in: stack) }, ways: ways,
        promise: promise))
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
