import Failures
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The reads of a context since its last save, or since it last discarded its changes. A unit of
/// work is Core Data's closest equivalent of a transaction.
struct UnitOfWork: Hashable {
  struct Read: Hashable {
    let object: ObjectID
    /// The ID that the instance reported.
    let instance: ObjectID
    let property: PropertyID
    /// The content that was read, with lifelong IDs.
    let seen: Content
    /// The position of the read in the journal. `since` is the position of the first read in the
    /// unit that saw the same content continuously.
    let position: Int
    var since: Int
    let lane: LaneID
    /// A Boolean value that indicates whether no later action of the program explains a different
    /// value.
    var isRepeatable: Bool
  }

  struct Write: Hashable {
    let object: ObjectID
    let property: PropertyID
    let old: Value
    let new: Value
    let position: Int
  }

  enum Content: Hashable {
    case value(Value)
    case members([ObjectID])
  }

  /// The position in the journal at which the unit begins, or `nil` before the first read.
  var start: Int?
  /// The last read of each property.
  var reads: [Read] = []
  /// A Boolean value that indicates whether the program has deleted an object. The deletion affects
  /// other objects later.
  var deletes = false

  mutating func forgetRepeatability() {
    for index in reads.indices { reads[index].isRepeatable = false }
  }

  /// Forgets the repeatability of reads of one property, or of all properties.
  mutating func forgetRepeatability(of object: ObjectID, _ property: PropertyID? = nil) {
    for index in reads.indices
    where reads[index].object == object
      && (property == nil || reads[index].property == property)
    {
      reads[index].isRepeatable = false
    }
  }
}

/// Checks the units of work of all contexts: whether reads repeat, whether units crossed, and
/// whether a context read a value that was then discarded.
struct UnitsOfWork: InvariantCheck {
  static let invariants: [Invariant] = [
    .RolledBackValuesAreNotLoaded, .ReadsAreRepeatable, .SavesDoNotCross,
  ]

  private var open: [UnitOfWork]
  private var saved: [SavedUnit] = []

  init(contextCount: Int) {
    assert(contextCount > 0, "a stack without contexts")
    open = Array(repeating: UnitOfWork(), count: contextCount)
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let journal = notes.journal
    if let context = moment.committed {
      if moment.author == .program { excuseSave(moment, of: context, in: world) }
      endBySaving(context, journal, in: world, &found)
      return
    }
    if let kind = moment.kind,
      !kind.traits.isDisjoint(with: [.givesUpChanges, .givesUpContext])
    {
      checkReads(of: moment, journal, in: world, &found)
    }
    switch moment.done {
    case .rollback, .reset, .discard: open[moment.context.index] = UnitOfWork()
    // An observer's refresh does not tell the program that values have changed.
    case .refreshAllObjects where moment.origin == .program:
      open[moment.context.index] = UnitOfWork()
    case .kill: self = UnitsOfWork(contextCount: open.count)
    default: break
    }
    guard moment.origin == .program else { return }
    excuse(moment, in: world)
    switch moment.done {
    case .get, .increment: break
    default: return
    }
    guard let step = moment.whole else { return }
    switch step.step {
    case .get(let name, let property, as: _):
      read(name, property, step.context, moment.lane, journal, world, &found)
    case .increment(let name, let property, by: _):
      noteIncrement(of: name, property, in: step.context, moment.lane, journal, world)
    default: break
    }
  }

  // MARK: Reads

  /// Checks whether a descendant has read values that the action discards (G1a of Adya et al.).
  private func checkReads(
    of moment: Moment, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    for case .lost(let giver, let object, let loss) in world.graph.result.evidence {
      for index in 0..<world.graph.contextCount {
        let context = ContextID(index)
        guard context != giver, world.graph.isAtOrBelow(giver, context) else { continue }
        let id = world.lifelongID(object)
        guard
          let read = open[context.index].reads.last(where: { read in
            read.object == id && read.isOf(loss, in: world)
              // A value that the context set itself comes from no other context.
              && world.graph.inspect(object, in: context)?.isChanged(read.property) != true
          }), case .value(let value) = read.seen
        else { continue }
        var violation = Violation(
          .RolledBackValuesAreNotLoaded, in: context, object: object, property: read.property,
          values: [value])
        violation.otherContext = giver
        let source = journal.last { witness in
          guard witness.context == giver, witness.object == id else { return false }
          if case .sets = witness.operation { return witness.property == read.property }
          return false
        }
        violation.proof = journal.lines(
          ([source].compactMap(\.self) + [read.position, journal.count - 1]).sorted())
        found.append(violation)
      }
    }
  }

  private mutating func read(
    _ name: ObjectName, _ property: PropertyID, _ context: ContextID, _ lane: LaneID,
    _ journal: Journal, _ world: World, _ found: inout [Violation]
  ) {
    guard let held = world.graph.heldInstance(context, name),
      !world.hasTwoInstances(held.id, in: context),
      !world.graph.isInaccessible(name, in: context)
    else { return }
    for event in world.graph.result.events {
      let seen: UnitOfWork.Content
      switch event {
      case .value(let value): seen = .value(world.lifelong(value))
      case .collection(let ids):
        let members = ids.map(world.lifelongID)
        let isOrdered = world.model[held.id.entity][property].relationship?.isOrdered == true
        seen = .members(isOrdered ? members : members.sorted())
      default: continue
      }
      assert(journal.count > 0, "a read that is not in the journal")
      let read = UnitOfWork.Read(
        object: world.lifelongID(held.id), instance: held.id, property: property, seen: seen,
        position: journal.count - 1, since: journal.count - 1, lane: lane,
        isRepeatable: !open[context.index].deletes)
      if let before = note(read, in: context), before.isRepeatable, before.seen != seen,
        !world.stack[context].isReadOnly,
        // The name may now hold the row's other instance.
        before.instance == held.id || !world.graph.quirks.contains(.rowHasTwoInstances),
        // No save relies on the reads of a context without changes.
        world.graph.hasChanges(context)
      {
        found.append(
          Violation.unrepeatableRead(before, read, in: context, id: held.id, journal))
      }
    }
  }

  /// Notes a read, and returns the previous read of the property in this unit.
  private mutating func note(
    _ read: UnitOfWork.Read, in context: ContextID
  ) -> UnitOfWork.Read? {
    assert(read.since <= read.position, "a value was seen before it was read")
    let c = context.index
    assert(open[c].start ?? 0 <= read.position, "a read precedes its unit of work")
    if open[c].start == nil { open[c].start = read.position }
    let known = open[c].reads.firstIndex {
      $0.object == read.object && $0.property == read.property
    }
    guard let index = known else {
      open[c].reads.append(read)
      return nil
    }
    let before = open[c].reads[index]
    open[c].reads[index] = read
    if before.seen == read.seen { open[c].reads[index].since = before.since }
    return before
  }

  private mutating func noteIncrement(
    of name: ObjectName, _ property: PropertyID, in context: ContextID, _ lane: LaneID,
    _ journal: Journal, _ world: World
  ) {
    guard let instance = world.graph.heldID(context, name) else { return }
    let id = world.lifelongID(instance)
    guard
      let position = journal.last(where: { witness in
        if case .reads = witness.operation {
          witness.object == id && witness.property == property
        } else {
          false
        }
      }), case .reads(let value) = journal.entries[position].witness.operation
    else { return }
    let read = UnitOfWork.Read(
      object: id, instance: instance, property: property, seen: .value(value), position: position,
      since: position, lane: lane, isRepeatable: false)
    _ = note(read, in: context)
  }

  /// Excuses values that the program saves from a child on the thread that has read them. Outside
  /// of blocks, the contexts must share a queue, because such steps may stand for those of any
  /// thread.
  private mutating func excuseSave(_ moment: Moment, of child: ContextID, in world: World) {
    guard let parent = world.graph.parent(of: child),
      moment.lane != world.driver || world.stack.shareQueue(parent, child)
    else { return }
    for case .receive(parent, let id, let received) in world.graph.result.events {
      let object = world.lifelongID(id)
      for index in open[parent.index].reads.indices
      where open[parent.index].reads[index].object == object
        && open[parent.index].reads[index].lane == moment.lane
        && received.contains(where: { $0.property == open[parent.index].reads[index].property })
      {
        open[parent.index].reads[index].isRepeatable = false
      }
    }
  }

  /// Excuses values that the program itself changed, refreshed, merged or undid, which may read
  /// differently later.
  private mutating func excuse(_ moment: Moment, in world: World) {
    let context = moment.context
    if moment.signs.contains(.hookSets) {
      for case .hookSet(let context, let id, let property, _) in world.graph.result.events {
        open[context.index].forgetRepeatability(of: world.lifelongID(id), property)
      }
    }
    switch moment.action {
    case .merge, .mergeRemote: open[context.index].forgetRepeatability()
    case .step(let step, .whole):
      switch step.step {
      case .set(let name, let property, _), .setPrimitive(let name, let property, _),
        .increment(let name, let property, by: _):
        if let id = world.lifelongID(of: name, in: context) {
          open[context.index].forgetRepeatability(of: id, property)
        }
      case .refresh(let name, mergeChanges: _):
        if let id = world.lifelongID(of: name, in: context) {
          open[context.index].forgetRepeatability(of: id)
        }
      // The name may later hold another instance of the row.
      case .release: open[context.index].forgetRepeatability()
      case .delete, .forEach(_, .delete):
        open[context.index].deletes = true
        open[context.index].forgetRepeatability()
      // Inverses change, too.
      case .relate, .add, .remove, .replace, .insertAgain, .undo, .redo, .mergeHistory,
        .forEach(_, .refresh):
        open[context.index].forgetRepeatability()
      default: break
      }
    default: break
    }
  }

  // MARK: Writes

  private mutating func endBySaving(
    _ context: ContextID, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    let reads = open[context.index].reads
    open[context.index] = UnitOfWork()
    // No other unit began before this unit ends.
    if saved.isEmpty, !open.contains(where: { $0.start != nil }) { return }
    var unit = SavedUnit(
      context: context, parent: world.graph.parent(of: context), reads: reads, end: journal.count)
    for evidence in world.graph.result.evidence {
      guard let (change, old, new) = evidence.write else { continue }
      let object = world.lifelongID(change.object)
      let position = journal.last { witness in
        if case .saves = witness.operation {
          witness.object == object && witness.property == change.property
        } else {
          false
        }
      }
      unit.writes.append(
        UnitOfWork.Write(
          object: object, property: change.property, old: world.lifelong(old),
          new: world.lifelong(new), position: position ?? journal.count - 1))
    }
    assert(unit.reads.allSatisfy { $0.position < unit.end }, "a unit ends before a read of its own")
    assert(saved.allSatisfy { $0.end <= unit.end }, "units end in another order than they saved")
    for other in saved {
      if let violation = Violation.writeSkew(other, unit, journal) { found.append(violation) }
    }
    saved.append(unit)
    // A unit that begins later does not overlap with these units.
    var earliest = Int.max
    for index in open.indices { earliest = min(earliest, open[index].start ?? Int.max) }
    saved.removeAny { $0.end <= earliest }
  }
}

extension UnitOfWork.Read {
  /// Returns a Boolean value that indicates whether the read saw the lost value.
  fileprivate func isOf(_ loss: Evidence.Loss, in world: World) -> Bool {
    switch loss {
    case .insertion: true
    case .value(property, let value): seen == .value(world.lifelong(value))
    default: false
    }
  }
}

extension World {
  /// Returns a Boolean value that indicates whether a context has two instances of the row, under
  /// its temporary and its permanent ID.
  fileprivate func hasTwoInstances(_ id: ObjectID, in context: ContextID) -> Bool {
    let permanent = graph.permanentID(of: id)
    guard let temporary = graph.originalTemporaryID(of: id), permanent != temporary else {
      return false
    }
    return graph.isRegistered(exactly: temporary, in: context)
      && graph.isRegistered(exactly: permanent, in: context)
  }
}
