import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finds values that a program read in a context that merges saves of other contexts, between the
/// save and its merge.
///
/// A read is reported when the merge arrives. Without a merge, the value is a stale copy instead.
/// The merge of a later save, which incidentally brings the value, does not count. A value that the
/// context or an ancestor has changed is not stale.
struct ReadsBeforeMerges: InvariantCheck {
  static let invariants: [Invariant] = [.FollowersReadWhatWasSaved]

  private struct Read: Hashable {
    let context: ContextID
    /// The object's lifelong ID.
    let object: ObjectID
    let property: PropertyID
    let stored: Value
    let shown: Value
    let save: JournalPlace
    let read: JournalPlace
    /// The number of DidSave notifications and batch results at the time of the read. `committing`
    /// are the contexts whose saves had succeeded and were not posted yet.
    let toldCount: Int
    let committing: [ContextID]
  }

  /// The latest read of each property.
  private var reads: [Read] = []
  /// Contexts whose saves have succeeded, and whose DidSave notifications are not posted yet.
  private var committing: [ContextID] = []

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let journal = notes.journal
    if let context = moment.committed { committing.append(context) }
    if !reads.isEmpty {
      for case .merged(let context, let number, let changed) in world.graph.result.evidence {
        let objects = changed.map { world.lifelongID($0) }
        report(
          reads.filter {
            $0.context == context && objects.contains($0.object)
              && wasSaved(number, before: $0, in: world)
          }, moment, journal, &found)
        reads.removeAll { $0.context == context && objects.contains($0.object) }
      }
    }
    if moment.signs.contains(.didSaves) {
      for case .didSave(let context, _, number: _) in world.graph.result.events {
        committing.removeAny { $0 == context }
      }
    }
    switch moment.done {
    case .get, .refresh, .refreshAllObjects, .reset, .discard, .kill: break
    default: return
    }
    guard let step = moment.whole else { return }
    let context = step.context
    switch step.step {
    case .get: note(step, moment, journal, in: world)
    case .refreshAllObjects where moment.author.isDesign:
      report(reads.filter { $0.context == context }, moment, journal, &found)
      reads.removeAll { $0.context == context }
    // A program that refreshes an object has not relied on the values that it read.
    case .refresh(let name, mergeChanges: _):
      let object = world.lifelongID(of: name, in: context)
      reads.removeAny { $0.context == context && $0.object == object }
    case .refreshAllObjects, .reset, .discard: reads.removeAny { $0.context == context }
    case .kill: self = ReadsBeforeMerges()
    default: break
    }
  }

  private mutating func note(
    _ step: AddressedStep, _ moment: Moment, _ journal: Journal, in world: World
  ) {
    guard case .get(let name, let property, as: _) = step.step, !moment.author.isDesign,
      let id = world.graph.heldID(step.context, name)
    else { return }
    let object = world.lifelongID(id)
    reads.removeAny {
      $0.context == step.context && $0.object == object && $0.property == property
    }
    guard case .value(let shown)? = world.graph.result.events.last,
      let attribute = world.model[id.entity][property].attribute, !attribute.isTransient,
      !world.graph.isWrittenByHooks(property, of: id.entity),
      !world.graph.isInaccessible(name, in: step.context),
      let instance = world.graph.inspect(exactly: id, in: step.context),
      !instance.isPendingDeletion,
      instance.baseValue(of: property, in: world.graph) == shown, !instance.isChanged(property),
      !world.graph.isChangedAbove(step.context, id, property),
      let stored = world.graph.storedValues(of: id)?[world.graph.slot(of: property, in: id.entity)],
      stored != shown, StackShape(world.stack).follows(step.context)
    else { return }
    let save = journal.last { line in
      line.object == object && line.property == property
        && (line.operation == .saves(stored, to: nil) || line.operation == .batchSets(stored))
    }
    assert(journal.count > 0, "a read that is not in the journal")
    reads.append(
      Read(
        context: step.context, object: object, property: property, stored: stored, shown: shown,
        save: JournalPlace(save), read: JournalPlace(journal.count - 1),
        toldCount: world.graph.didSaveTotal, committing: committing))
  }

  /// Returns a Boolean value that indicates whether the save or batch with this number preceded the
  /// read.
  private func wasSaved(_ number: Int, before read: Read, in world: World) -> Bool {
    if number < read.toldCount { return true }
    let poster = world.graph.poster(of: number)
    return read.committing.contains(poster)
      && !(read.toldCount..<number).contains { world.graph.poster(of: $0) == poster }
  }

  /// Reports reads that happened before the merge being performed, at most one for each object.
  private func report(
    _ early: [Read], _ moment: Moment, _ journal: Journal, _ found: inout [Violation]
  ) {
    var reported: [ObjectID] = []
    for read in early where !reported.contains(read.object) {
      reported.append(read.object)
      var violation = Violation(
        .FollowersReadWhatWasSaved, in: read.context, object: read.object,
        property: read.property, values: [read.stored, read.shown])
      let merge = journal.last { line in
        guard line.context == read.context, line.object == read.object || line.object == nil else {
          return false
        }
        switch line.operation {
        case .merges, .mergesHistory, .refreshes: return true
        default: return false
        }
      }
      violation.proof = journal.lines([read.save.position, read.read.position, merge])
      found.append(violation)
    }
  }
}
