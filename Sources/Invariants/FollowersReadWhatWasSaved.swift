import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// What a program has read in a context that merges what others save, between the save and its
/// merge. Whether a merge was still to come shows when it comes: a value that no merge ever brings
/// is a stale copy, and no stale read. What the context, or one above it, has changed itself is no
/// stale value.
struct ReadsBeforeMerges: Hashable {
  private struct Read: Hashable {
    let context: ContextID
    /// Under its lifelong ID.
    let object: ObjectID
    let property: PropertyID
    let stored: Value
    let shown: Value
    let save: JournalPlace
    let read: JournalPlace
  }

  /// One for each property, the latest.
  private var reads: [Read] = []

  mutating func check(
    _ moment: Moment, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    if moment.signs.contains(.merges), !reads.isEmpty {
      for case .didMergeChanges(let context, let sets) in world.events {
        report(sets.refreshed.map { world.lifelongID($0) }, context, moment, journal, &found)
      }
    }
    guard let step = moment.whole, !moment.hasFailed else { return }
    let context = step.context
    switch step.step {
    case .get: note(step, moment, journal, in: world)
    case .refreshAllObjects where moment.author.isDesign:
      report(
        reads.filter { $0.context == context }.map(\.object), context, moment, journal, &found)
    // A program that asks for what is new has not relied on what it read.
    case .refresh(let name, mergeChanges: _):
      let object = world.lifelongID(of: name, in: context)
      reads.removeAll { $0.context == context && $0.object == object }
    case .refreshAllObjects, .reset, .discard: reads.removeAll { $0.context == context }
    case .kill: reads = []
    default: break
    }
  }

  private mutating func note(
    _ step: AddressedStep, _ moment: Moment, _ journal: Journal, in world: World
  ) {
    guard case .get(let name, let property) = step.step, !moment.author.isDesign,
      let id = world.heldID(step.context, name)
    else { return }
    let object = world.lifelongID(id)
    reads.removeAll {
      $0.context == step.context && $0.object == object && $0.property == property
    }
    guard case .value(let shown)? = world.events.last,
      let attribute = world.model[id.entity][property].attribute, !attribute.isTransient,
      !world.isWrittenByHooks(property, of: id.entity),
      !world.isInaccessible(name, in: step.context),
      let instance = world.inspect(exactly: id, in: step.context), !instance.isPendingDeletion,
      instance.baseValue(of: property, in: world) == shown, !instance.isChanged(property),
      !world.isChangedAbove(step.context, id, property),
      let stored = world.storedValues(of: id)?[world.slot(of: property, in: id.entity)],
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
        save: JournalPlace(save), read: JournalPlace(journal.count - 1)))
  }

  /// The merge of these objects that their reads did not wait for: one violation for each object.
  private mutating func report(
    _ objects: [ObjectID], _ context: ContextID, _ moment: Moment, _ journal: Journal,
    _ found: inout [Violation]
  ) {
    var reported: [ObjectID] = []
    for read in reads
    where read.context == context && objects.contains(read.object)
      && !reported.contains(read.object)
    {
      reported.append(read.object)
      var violation = Violation(
        .FollowersReadWhatWasSaved, in: context, object: read.object, property: read.property,
        values: [read.stored, read.shown])
      let merge = journal.last { line in
        guard line.context == context, line.object == read.object || line.object == nil else {
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
    reads.removeAll { $0.context == context && objects.contains($0.object) }
  }
}
