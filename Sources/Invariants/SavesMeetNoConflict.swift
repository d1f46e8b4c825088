import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A save that fails by a conflict, whoever calls it: what an app has to handle wherever another
/// context may have saved first. A save that fails again, for the same objects, says that it is not
/// handled.
struct FailedSaves: Hashable {
  /// By context: what its last save failed by; empty if it did not, or was put in order since.
  private var objects: [[ObjectID]]

  init(contextCount: Int) {
    assert(contextCount > 0, "a stack without contexts")
    objects = Array(repeating: [], count: contextCount)
  }

  mutating func check(
    _ moment: Moment, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    if let context = moment.committed(in: world) { objects[context.index] = [] }
    forget(moment, in: world)
    guard case .step(let step, _) = moment.action, step.step == .save else { return }
    for case .failed(let failure) in world.events {
      guard let conflict = Conflict(failure) else { continue }
      let context = step.context
      let isRepeated = objects[context.index] == conflict.objects
      objects[context.index] = conflict.objects
      var violation = Violation(
        isRepeated ? .ContextsCanSaveAgain : .SavesMeetNoConflict, in: context,
        object: conflict.objects.first, detail: conflict.code.name)
      if moment.author.isDesign, !isRepeated { violation.site = .stack }
      violation.proof = proof(conflict, in: context, moment, journal, world)
      found.append(violation)
    }
  }

  /// What puts a context in order: what its changes or its knowledge of the rows are given up by.
  private mutating func forget(_ moment: Moment, in world: World) {
    switch moment.action {
    case .merge(let context, number: _), .mergeRemote(let context, number: _):
      objects[context.index] = []
    case .step(let step, .whole):
      switch step.step {
      case .rollback, .reset, .discard, .refreshAllObjects, .refresh, .mergeHistory, .delete:
        objects[step.context.index] = []
      case .kill: objects = Array(repeating: [], count: objects.count)
      default: break
      }
    default: break
    }
  }

  private struct Conflict {
    let code: ErrorCode
    /// Under the IDs that the failure has.
    let objects: [ObjectID]

    init?(_ failure: Failure) {
      switch failure {
      case .mergeConflicts(let conflicts):
        code = .managedObjectMerge
        objects = conflicts.map(\.object)
      case .constraintConflicts(let conflicts):
        code = .managedObjectConstraintMerge
        objects = conflicts.flatMap(\.objects)
      default: return nil
      }
    }
  }

  /// What this context changed of the object, and whose save was first.
  private func proof(
    _ conflict: Conflict, in context: ContextID, _ moment: Moment, _ journal: Journal,
    _ world: World
  ) -> [ProofLine] {
    let object = conflict.objects.first.map(world.lifelongID)
    let change = journal.last { line in
      guard line.object == object, line.context == context else { return false }
      switch line.operation {
      case .sets, .deletes: return true
      default: return false
      }
    }
    let other = journal.last { line in
      guard line.object == object, line.context != context else { return false }
      switch line.operation {
      case .saves(_, to: nil), .deletes, .batchSets, .batchDeletes: return true
      default: return false
      }
    }
    let save = Action.step(AddressedStep(context, .save), .whole)
    return journal.lines([change, other]) + [
      ProofLine(.performs(save, milliseconds: 0), by: context, step: moment.step)
    ]
  }
}
