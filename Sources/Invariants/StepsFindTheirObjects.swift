import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A step that raises NSObjectInaccessibleException, since the row of its fault is gone (FL-12); and,
/// of a design's own steps, any other error but that of a save, which says that an object is not
/// where the design expects it.
func checkErrors(
  _ moment: Moment, _ journal: Journal, in world: World, _ found: inout [Violation]
) {
  for case .failed(let failure) in world.events {
    guard let (object, detail) = failure.missing(isDesigns: moment.author.isDesign) else {
      continue
    }
    let context = moment.action.context
    var violation = Violation(.StepsFindTheirObjects, in: context, object: object, detail: detail)
    if moment.author.isDesign { violation.site = .stack }
    if case .step(let step, _) = moment.action { violation.step = step }
    let end = journal.last { line in
      guard let object, line.object == world.lifelongID(object) else { return false }
      switch line.operation {
      case .deletes, .batchDeletes: return true
      default: return false
      }
    }
    violation.proof = journal.lines([end])
    found.append(violation)
  }
}

extension Failure {
  /// The object that a step did not find, if there is one, and in words what it failed by; nil for
  /// what is no error of this kind.
  fileprivate func missing(isDesigns: Bool) -> (object: ObjectID?, detail: String)? {
    switch self {
    case .inaccessible(let id): (id, "the row of a fault is gone")
    case .missingObject(let id) where isDesigns: (id, "no row has this ID")
    case .unreachableStore(let id) where isDesigns: (id, "the object's store was removed")
    case .noContext where isDesigns: (nil, "the object belongs to no context any more")
    case .differentContexts where isDesigns: (nil, "the objects belong to different contexts")
    case .noStore where isDesigns: (nil, "no store takes the object")
    default: nil
    }
  }
}
