import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finds reads of objects whose rows another context deleted. In a context that deletes
/// inaccessible faults, such a read raises nothing, and every property reads nil. The object counts
/// as deleted, so the context has a change that no code made (FL-14). Contexts that raise instead
/// are checked by `RaisedErrors`.
///
/// A program causes the read itself if it looks up an ID whose row is deleted or not saved yet
/// (`LookupsInVain`). The same holds if it rolls back a merged deletion. A context that reads an
/// object that it deleted itself is also exempt, unless the design looks up a remembered ID after
/// the deletion.
///
/// In a context that merges saves of other contexts, such a read is a read before the merge, if the
/// merge arrives.
struct DeletedRows: InvariantCheck {
  static let invariants: [Invariant] = [.ReadsDeleteNothing, .FollowersReadWhatWasSaved]

  private struct Deletion: Hashable {
    /// The object's lifelong ID.
    let object: ObjectID
    /// The context that saved the deletion, or sent the batch request.
    let context: ContextID
    /// The contexts that have had the object since before the deletion, and have not merged it.
    var holders: [ContextID]
  }

  /// A read in a context that merges saves of other contexts, before it merged the deletion.
  private struct EarlyRead: Hashable {
    let violation: Violation
    /// The number of DidSave notifications and batch results at the time of the read.
    let toldCount: Int
    /// The contexts that deleted the object, and its row.
    let deleters: [ContextID]
  }

  private struct SavedDeletion: Hashable {
    let context: ContextID
    /// The object's lifelong ID.
    let object: ObjectID
  }

  /// The deletions that contexts have saved, to their parents as well.
  private var savedDeletions: Set<SavedDeletion> = []
  private var deletions: [Deletion] = []
  private var earlyReads: [EarlyRead] = []

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    if !moment.signs.isDisjoint(with: [.saveRequests, .batches, .didSaves]) {
      noteSaved(moment, in: world)
    }
    for case .missed(let context, let object) in world.graph.result.evidence
    where !notes.lookups.contains(object, in: context, world) {
      report(object, context, moment, notes.journal, in: world, &found)
    }
    for case .merged(let context, let number, let changed) in world.graph.result.evidence {
      let objects = deletions.isEmpty ? [] : changed.map { world.lifelongID($0) }
      for index in deletions.indices where objects.contains(deletions[index].object) {
        deletions[index].holders.removeAny { $0 == context }
      }
      report(number, by: context, moment, in: world, &found)
    }
    forgetReads(of: moment, in: world)
  }

  private mutating func noteSaved(_ moment: Moment, in world: World) {
    for event in world.graph.result.events {
      switch event {
      case .saveRequest(_, let sets), .batched(let sets, _):
        for id in sets.deleted { note(world.lifelongID(id), moment, in: world) }
      case .didSave(let context, let sets, number: _):
        for id in sets.deleted {
          savedDeletions.insert(SavedDeletion(context: context, object: world.lifelongID(id)))
        }
      default: continue
      }
    }
  }

  private mutating func note(_ object: ObjectID, _ moment: Moment, in world: World) {
    var holders: [ContextID] = []
    for index in 0..<world.graph.contextCount
    where world.graph.keepsInstance(of: object, in: ContextID(index)) {
      holders.append(ContextID(index))
    }
    deletions.append(
      Deletion(object: object, context: moment.context, holders: holders))
  }

  /// Forgets the reads and objects of a context that has released them. If such a context finds an
  /// object again, it knows no more about the object than other contexts.
  private mutating func forgetReads(of moment: Moment, in world: World) {
    let context = moment.context
    for index in deletions.indices where deletions[index].holders.contains(context) {
      if !world.graph.hasInstance(of: deletions[index].object, in: context) {
        deletions[index].holders.removeAny { $0 == context }
      }
    }
    switch moment.kind {
    case .reset, .discard: earlyReads.removeAll { $0.violation.context == context }
    case .kill: (deletions, earlyReads, savedDeletions) = ([], [], [])
    default: break
    }
  }

  /// Returns a Boolean value that indicates whether the context has had the object since before the
  /// deletion. Returns `false` if the context deleted the object itself and fetched it again.
  private func isHeld(_ deletion: Deletion, in context: ContextID) -> Bool {
    deletion.holders.contains(context)
      && !savedDeletions.contains(SavedDeletion(context: context, object: deletion.object))
  }

  private mutating func report(
    _ id: ObjectID, _ context: ContextID, _ moment: Moment, _ journal: Journal, in world: World,
    _ found: inout [Violation]
  ) {
    let object = world.lifelongID(id)
    guard let deletion = deletions.last(where: { $0.object == object }),
      deletion.context != context || moment.usesRememberedIDs,
      moment.author.isDesign || isHeld(deletion, in: context)
    else { return }
    let end = journal.deletion(of: object, by: deletion.context)
    var violation = Violation(.ReadsDeleteNothing, in: context, object: id)
    violation.otherContext = deletion.context
    if moment.author.isDesign { violation.site = .stack }
    if case .step(let step, _) = moment.action { violation.step = step }
    violation.proof =
      journal.lines([end])
      + [ProofLine(.performs(moment.action, milliseconds: 0), by: context, step: moment.step)]
    if !moment.author.isDesign, StackShape(world.stack).follows(context) {
      let deleter = end.flatMap { journal.entries[$0].witness.context }
      earlyReads.append(
        EarlyRead(
          violation: violation, toldCount: world.graph.didSaveTotal,
          deleters: [deletion.context] + [deleter].compactMap(\.self)))
    } else {
      found.append(violation)
    }
  }

  /// Reports the early reads of objects whose deletion the context now merges.
  private mutating func report(
    _ number: Int, by context: ContextID, _ moment: Moment, in world: World,
    _ found: inout [Violation]
  ) {
    for early in earlyReads where early.violation.context == context {
      let (read, poster) = (early.violation, world.graph.poster(of: number))
      // The merge of a later save by another context was not pending at the time of the read.
      guard let id = read.object, world.graph.tells(number, ofDeletionOf: id),
        number < early.toldCount || early.deleters.contains(poster)
      else { continue }
      var violation = Violation(.FollowersReadWhatWasSaved, in: context, object: id)
      violation.otherContext = read.otherContext
      violation.step = read.step
      violation.proof =
        read.proof + [
          ProofLine(
            .merges(from: poster, by: moment.origin),
            by: context, of: world.lifelongID(id), step: moment.step)
        ]
      found.append(violation)
      earlyReads.removeAll { $0 == early }
    }
  }

  /// Adds the reads of deletions for which no merge arrived.
  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {
    found += earlyReads.map(\.violation)
  }
}
