import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A save that fails by a conflict, in the program or in the design: what an app has to handle wherever another
/// context may have saved first. A save that meets the conflict of an earlier one again says that it
/// was not handled: the context has loaded no newer version, and no newer one was saved.
struct FailedSaves: Hashable {
  /// By context: what its latest failed save met.
  private var conflicts: [[Conflict]]

  init(contextCount: Int) {
    assert(contextCount > 0, "a stack without contexts")
    conflicts = Array(repeating: [], count: contextCount)
  }

  mutating func check(
    _ moment: Moment, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    if case .step(let step, .whole) = moment.action, step.step == .kill {
      for index in conflicts.indices { conflicts[index] = [] }
    }
    guard case .step(let step, _) = moment.action, step.step == .save else { return }
    for case .failed(let failure) in world.events {
      guard let code = failure.conflictCode else { continue }
      let context = step.context
      let met = Conflict.all(failure)
      let known = conflicts[context.index]
      let again = met.first { $0.canRecur && known.contains($0) }
      conflicts[context.index] = met
      var violation = Violation(
        again == nil ? .SavesMeetNoConflict : .ContextsCanSaveAgain, in: context,
        object: (again ?? met.first)?.objects.first, detail: code.name)
      if moment.author.isDesign, again == nil { violation.site = .stack }
      violation.proof = proof(violation, moment, journal, world)
      found.append(violation)
    }
  }

  /// What a save met of one object, or of the objects that are in each other's way.
  private struct Conflict: Hashable {
    /// Under the IDs that the failure has.
    let objects: [ObjectID]
    /// The version that the context has loaded, and the one that is there; of a conflict about
    /// unique values, nil.
    let versions: [Int]?
    /// The row that has the unique values already.
    let row: ObjectID?

    /// A parent has no versions: whether a child meets the same conflict once more is not known.
    var canRecur: Bool { versions != [0, 0] }

    static func all(_ failure: Failure) -> [Conflict] {
      switch failure {
      case .mergeConflicts(let conflicts):
        conflicts.map {
          Conflict(objects: [$0.object], versions: [$0.oldVersion, $0.newVersion], row: nil)
        }
      case .constraintConflicts(let conflicts):
        conflicts.map {
          Conflict(objects: $0.objects, versions: nil, row: $0.databaseObject)
        }
      default: []
      }
    }
  }

  /// What this context changed of the object, and whose save was first.
  private func proof(
    _ violation: Violation, _ moment: Moment, _ journal: Journal, _ world: World
  ) -> [ProofLine] {
    guard let context = violation.context else { return [] }
    let object = violation.object.map(world.lifelongID)
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

extension Failure {
  /// Nil if it is no conflict.
  fileprivate var conflictCode: ErrorCode? {
    switch self {
    case .mergeConflicts: .managedObjectMerge
    case .constraintConflicts: .managedObjectConstraintMerge
    default: nil
    }
  }
}
