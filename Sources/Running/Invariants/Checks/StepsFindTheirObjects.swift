import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finds steps that fail because an object is missing. A step may raise
/// NSObjectInaccessibleException because the row of its fault is gone (FL-12). A save may raise
/// because the design has taken the store of its objects (PS-07). For the design's own steps, other
/// errors about a missing object count as well.
///
/// Other errors of saves belong to `FailedSaves`. An `existingObject` without a row is an answer,
/// because the method exists to ask (ID-21). Objects that a program looked up in vain are its own
/// fault.
struct RaisedErrors: InvariantCheck {
  static let invariants: [Invariant] = [.StepsFindTheirObjects]
  static let signs = EventSigns.failures

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let (journal, lookups) = (notes.journal, notes.lookups)
    for case .failed(let failure) in world.graph.result.events {
      if let id = failure.lostObject, lookups.contains(id, in: moment.context, world) {
        continue
      }
      if moment.action.isSave {
        if let violation = error(ofSave: moment, failure, journal, in: world) {
          found.append(violation)
        }
        continue
      }
      guard let (object, detail) = failure.missing(isDesigns: moment.author.isDesign) else {
        continue
      }
      var violation = error(of: moment, object, detail)
      let end = object.flatMap { journal.deletion(of: world.lifelongID($0), by: nil) }
      violation.proof = journal.lines([end])
      found.append(violation)
    }
  }
}

private func error(
  of moment: Moment, _ object: ObjectID?, _ detail: String
) -> Violation {
  let context = moment.context
  var violation = Violation(.StepsFindTheirObjects, in: context, object: object, detail: detail)
  if moment.author.isDesign { violation.site = .stack }
  if case .step(let step, _) = moment.action { violation.step = step }
  return violation
}

/// Returns the violation of a save, or `nil` unless a store is missing that the design was the last
/// to take.
private func error(
  ofSave moment: Moment, _ failure: Failure, _ journal: Journal, in world: World
) -> Violation? {
  let object: ObjectID?
  switch failure {
  case .unreachableStore(let id): object = id
  case .noStore: object = nil
  default: return nil
  }
  // An object without a row has no known store.
  let store = object.flatMap { world.graph.permanentID(of: $0).store }
  let position = journal.last { line in
    guard case .takesStore(let taking) = line.operation else { return false }
    return store == nil || store == taking.store
  }
  guard let position, case .takesStore(let taking) = journal.entries[position].witness.operation,
    taking.isDesigns
  else { return nil }
  let end = taking.isDestroyed ? "destroyed" : "removed"
  let detail =
    object == nil
    ? "the store was \(end), and no other store exists" : "the object's store was \(end)"
  var violation = error(of: moment, object, detail)
  let save = Action.step(AddressedStep(moment.context, .save), .whole)
  violation.proof =
    journal.lines([position])
    + [ProofLine(.performs(save, milliseconds: 0), by: moment.context, step: moment.step)]
  return violation
}

extension Failure {
  /// The object whose row or store is missing.
  fileprivate var lostObject: ObjectID? {
    switch self {
    case .inaccessible(let id), .unreachableStore(let id): id
    default: nil
    }
  }

  /// Returns the object that a step did not find, if known, and a description of the failure.
  /// Returns `nil` for other errors.
  fileprivate func missing(isDesigns: Bool) -> (object: ObjectID?, detail: String)? {
    switch self {
    case .inaccessible(let id): (id, "the row of a fault no longer exists")
    case .unreachableStore(let id) where isDesigns: (id, "the object's store was removed")
    case .noContext where isDesigns: (nil, "the object belongs to no context any more")
    case .differentContexts where isDesigns: (nil, "the objects belong to different contexts")
    case .noStore where isDesigns: (nil, "no store accepts the object")
    default: nil
    }
  }
}
