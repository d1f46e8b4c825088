import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A step that raises NSObjectInaccessibleException, since the row of its fault is gone (FL-12);
/// and, of a design's own steps, any other error that says that an object is not where the design
/// expects it. What a save returns is for `FailedSaves`, and that `existingObject` finds no row is
/// an answer: this is how to ask (ID-21).
func checkErrors(
  _ moment: Moment, _ journal: Journal, in world: World, _ found: inout [Violation]
) {
  guard moment.hasFailed else { return }
  for case .failed(let failure) in world.events {
    let isDesigns = moment.author.isDesign && !moment.action.isSave
    guard let (object, detail) = failure.missing(isDesigns: isDesigns) else { continue }
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

extension Action {
  fileprivate var isSave: Bool {
    if case .step(let step, _) = self { step.step == .save } else { false }
  }
}

extension Failure {
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
