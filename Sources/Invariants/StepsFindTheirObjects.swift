import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A step that raises NSObjectInaccessibleException, since the row of its fault is gone (FL-12); a
/// save that raises since the design has taken the store of what it saves (PS-07); and, of a
/// design's own steps, any other error that says that an object is not where the design expects it.
/// What else a save returns is for `FailedSaves`, and that `existingObject` finds no row is an
/// answer: this is how to ask (ID-21). What a program has looked for in vain is its own doing.
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

/// Nil unless the failure says that a store is not there, and the design was the last to take it.
private func error(
  ofSave moment: Moment, _ failure: Failure, _ journal: Journal, in world: World
) -> Violation? {
  let object: ObjectID?
  switch failure {
  case .unreachableStore(let id): object = id
  case .noStore: object = nil
  default: return nil
  }
  // Of what has no row yet, it is not known which store it would have gone to.
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
    object == nil ? "the store was \(end), and there is no other" : "the object's store was \(end)"
  var violation = error(of: moment, object, detail)
  let save = Action.step(AddressedStep(moment.context, .save), .whole)
  violation.proof =
    journal.lines([position])
    + [ProofLine(.performs(save, milliseconds: 0), by: moment.context, step: moment.step)]
  return violation
}

extension Failure {
  /// The object whose row or store is not there.
  fileprivate var lostObject: ObjectID? {
    switch self {
    case .inaccessible(let id), .unreachableStore(let id): id
    default: nil
    }
  }

  /// The object that a step did not find, if there is one, and in words what it failed by; nil for
  /// what is no error of this kind.
  fileprivate func missing(isDesigns: Bool) -> (object: ObjectID?, detail: String)? {
    switch self {
    case .inaccessible(let id): (id, "the row of a fault is gone")
    case .unreachableStore(let id) where isDesigns: (id, "the object's store was removed")
    case .noContext where isDesigns: (nil, "the object belongs to no context any more")
    case .differentContexts where isDesigns: (nil, "the objects belong to different contexts")
    case .noStore where isDesigns: (nil, "no store takes the object")
    default: nil
    }
  }
}
