import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Checks that no save of the design fails for values that an earlier failed save has left. A
/// failed save leaves all changes pending (SV-18), so the next save with other changes fails for
/// the same values (SV-19). Values fail by validation, or because two objects of the context
/// violate a uniqueness constraint.
///
/// Both saves must be the design's, and the program must have changed another object between them.
/// Without that change, the second save loses nothing more than the first. A program that changes
/// the object again causes the failure itself. Main-queue contexts are exempt, because the user
/// sees the error and repairs the value.
struct LeftoversOfFailedSaves: InvariantCheck {
  static let invariants: [Invariant] = [.FailedSavesLeaveNothing]

  /// The reason that a save failed, with lifelong IDs.
  fileprivate enum Refusal: Hashable {
    case value(Failure.Issue)
    case equal([ObjectID], [PropertyID])

    var objects: [ObjectID] {
      switch self {
      case .value(let issue): [issue.object]
      case .equal(let objects, _): objects
      }
    }
  }

  private struct Leftover: Hashable {
    var refusals: [Refusal] = []
    /// The objects that the program has changed in the context since the failure.
    var changed: [ObjectID] = []
  }

  /// The leftovers of failed saves, indexed by context.
  private var leftovers: [Leftover]

  /// Boolean values, indexed by context, that indicate whether the context is on the main queue.
  private let isUsers: [Bool]
  let isIdle: Bool

  init(_ stack: Stack) {
    leftovers = stack.contexts.map { _ in Leftover() }
    isUsers = stack.contexts.map(\.isOnMainQueue)
    isIdle = !stack.ownSteps.contains {
      $0.contains { $0.step == .save && !stack[$0.context].isOnMainQueue }
    }
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let index = moment.context.index
    if moment.hasFailed {
      if moment.author.isDesign, moment.action.isSave, !isUsers[index] {
        noteFailure(moment, notes, in: world, &found)
      }
      return
    }
    if moment.done == .kill { leftovers = leftovers.map { _ in Leftover() } }
    if leftovers[index].refusals.isEmpty { return }
    if moment.committed != nil { leftovers[index] = Leftover() }
    switch moment.done {
    case .rollback, .reset, .discard: forgetWhatIsGone(from: moment.context, world)
    default: break
    }
    guard moment.author == .program, moment.done?.traits.contains(.writes) == true,
      let step = moment.whole
    else { return }
    guard let object = step.subject(in: world) else { return }
    leftovers[index].refusals.removeAny { $0.objects.contains(object) }
    leftovers[index].changed.removeAny { $0 == object }
    leftovers[index].changed.append(object)
  }

  private mutating func forgetWhatIsGone(from context: ContextID, _ world: World) {
    leftovers[context.index].refusals.removeAny { refusal in
      !refusal.objects.contains { context.hasUnsaved($0, in: world) }
    }
  }

  private mutating func noteFailure(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let index = moment.context.index
    for case .failed(let failure) in world.graph.result.events {
      let refusals = failure.refusals(in: world)
      if refusals.isEmpty { continue }
      let known = leftovers[index].refusals
      let refused = Set(refusals.flatMap(\.objects))
      guard let again = refusals.first(where: known.contains),
        let other = leftovers[index].changed.last(where: { object in
          !refused.contains(object) && moment.context.hasUnsaved(object, in: world)
        })
      else {
        leftovers[index] = Leftover(refusals: refusals)
        return
      }
      leftovers[index] = Leftover(refusals: refusals)
      found.append(violation(again, besides: other, moment, notes, in: world))
      return
    }
  }

  private func violation(
    _ refusal: Refusal, besides other: ObjectID, _ moment: Moment, _ notes: RunNotes,
    in world: World
  ) -> Violation {
    var violation = Violation(
      .FailedSavesLeaveNothing, in: moment.context, object: refusal.objects.first)
    var values: Value?
    switch refusal {
    case .value(let issue):
      violation.property = issue.property
      violation.values = [issue.value]
      violation.detail = issue.code.name
      values = issue.value
    case .equal(_, let properties):
      violation.property = properties.first
      violation.detail = ErrorCode.managedObjectConstraintMerge.name
    }
    let (journal, context) = (notes.journal, moment.context)
    func change(of object: ObjectID, _ property: PropertyID?) -> Int? {
      journal.last { line in
        guard line.object == object, line.context == context else { return false }
        if let property, line.property != property { return false }
        return switch line.operation {
        case .sets(let value): values == nil || property == nil || value == values
        case .deletes: property == nil
        default: false
        }
      }
    }
    let save = Action.step(AddressedStep(context, .save), .whole)
    violation.proof =
      journal.lines(
        refusal.objects.map { change(of: $0, violation.property) } + [change(of: other, nil)])
      + [ProofLine(.performs(save, milliseconds: 0), by: context, step: moment.step)]
    return violation
  }
}

extension AddressedStep {
  /// Returns the object that the step changes, which it names first, as a lifelong ID. Returns
  /// `nil` if the step names no existing object.
  func subject(in world: World) -> ObjectID? {
    var first: ObjectName?
    visitNames { first = first ?? $0 }
    return first.flatMap { world.lifelongID(of: $0, in: context) }
  }
}

extension ContextID {
  /// Returns a Boolean value that indicates whether the context has inserted, changed or deleted
  /// the object without saving it. An insertion that is deleted again leaves nothing to save: no
  /// context above has it, and no store.
  func hasUnsaved(_ object: ObjectID, in world: World) -> Bool {
    guard let found = world.graph.inspect(object, in: self) else { return false }
    if found.isPendingDeletion {
      return world.graph.storedValues(of: object) != nil
        || world.stack.chain(from: self).dropFirst().contains {
          world.graph.inspect(object, in: $0) != nil
        }
    }
    return found.view.isInserted || found.view.isUpdated
  }
}

extension Failure {
  /// Returns the values that the context must change before a save can succeed. Returns an empty
  /// array if other contexts or the store contribute to the failure.
  fileprivate func refusals(in world: World) -> [LeftoversOfFailedSaves.Refusal] {
    switch self {
    case .validation(let issues):
      issues.map { issue in
        var issue = issue
        issue.object = world.lifelongID(issue.object)
        return .value(issue)
      }
    case .constraintConflicts(let conflicts):
      conflicts.filter { $0.databaseObject == nil }.map {
        .equal($0.objects.map(world.lifelongID), $0.constraint)
      }
    default: []
    }
  }
}
