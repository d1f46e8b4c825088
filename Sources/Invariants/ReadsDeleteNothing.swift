import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Objects that contexts had when another one deleted their rows, and reads of those that find no
/// row: in a context that deletes inaccessible faults a read raises nothing, every property reads
/// nil, and the object counts as deleted, so that the context has a change that no code made
/// (FL-14). Where contexts raise instead, it is a raised error (`checkErrors`).
///
/// A program that looks for an object by an ID whose row is gone already, or not there yet, does
/// that to itself; for steps of a design it counts, too. In a context that merges what others save,
/// it is a read before that merge.
struct DeletedRows: Hashable {
  private struct Deletion: Hashable {
    /// Under its lifelong ID.
    let object: ObjectID
    /// The context that saved the deletion, or sent the batch request.
    let context: ContextID
    /// Those that have had the object since before.
    var holders: [ContextID]
  }

  /// Objects that have, or had, a row.
  private var saved: Set<ObjectID> = []
  private var deletions: [Deletion] = []

  mutating func check(
    _ moment: Moment, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    for event in world.events {
      switch event {
      case .saveRequest(_, let sets), .batched(let sets, _):
        note(sets.deleted, moment, in: world)
        saved.formUnion(sets.inserted.map { world.lifelongID($0) })
      default: continue
      }
    }
    for case .missed(let context, let object) in world.evidence {
      report(object, context, moment, journal, in: world, &found)
    }
    switch moment.kind {
    case .reset, .discard:
      for index in deletions.indices {
        deletions[index].holders.removeAll { $0 == moment.action.context }
      }
    case .kill: deletions = []
    default: break
    }
  }

  private mutating func note(_ ids: [ObjectID], _ moment: Moment, in world: World) {
    for id in ids where saved.contains(world.lifelongID(id)) {
      let holders = (0..<world.contextCount).map { ContextID($0) }.filter {
        world.inspect(id, in: $0)?.isPendingDeletion == false
      }
      deletions.append(
        Deletion(
          object: world.lifelongID(id), context: moment.action.context, holders: holders))
    }
  }

  private func report(
    _ id: ObjectID, _ context: ContextID, _ moment: Moment, _ journal: Journal, in world: World,
    _ found: inout [Violation]
  ) {
    let object = world.lifelongID(id)
    guard let deletion = deletions.last(where: { $0.object == object }),
      deletion.context != context, moment.author.isDesign || deletion.holders.contains(context)
    else { return }
    let end = journal.last { line in
      guard line.object == object else { return false }
      switch line.operation {
      case .deletes, .batchDeletes: return true
      default: return false
      }
    }
    if let end, journal.entries[end].witness.context == context { return }
    // A context that follows others is told of the deletion: the program has not waited for that.
    let isEarly = !moment.author.isDesign && StackShape(world.stack).follows(context)
    var violation = Violation(
      isEarly ? .FollowersReadWhatWasSaved : .ReadsDeleteNothing, in: context, object: id)
    violation.otherContext = deletion.context
    if moment.author.isDesign { violation.site = .stack }
    if case .step(let step, _) = moment.action { violation.step = step }
    violation.proof =
      journal.lines([end])
      + [ProofLine(.performs(moment.action, milliseconds: 0), by: context, step: moment.step)]
    found.append(violation)
  }
}
