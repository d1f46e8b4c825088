package import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// An action as the invariants see it.
struct Moment {
  let action: Action
  let context: ContextID
  /// The lane that performed the action.
  let lane: LaneID
  /// The number of steps performed, including the step of this action.
  let step: Int
  /// The origin of the action. Always `program` unless violations are signed.
  let origin: World.Origin
  /// The author of the step. Always `program` unless violations are signed.
  let author: Author
  let signs: EventSigns
  /// A Boolean value that indicates whether to examine every object, not only those that the action
  /// touched.
  let isThorough: Bool
  /// The step that consists of this action alone, if any. `kind` is its kind.
  let whole: AddressedStep?
  let kind: Step.Kind?
  /// The kind of the whole step, unless it failed. Most invariants look for few kinds, and need no
  /// copy of other steps.
  let done: Step.Kind?
  /// The context of a save whose commit, to the parent or a store, has just succeeded.
  let committed: ContextID?

  init(
    _ action: Action, by lane: LaneID, step: Int, _ signs: EventSigns, isThorough: Bool,
    isSigned: Bool, in world: borrowing World
  ) {
    self.isThorough = isThorough
    (self.action, self.lane, self.step, self.signs) = (action, lane, step, signs)
    context = action.context
    (origin, author) =
      isSigned ? (world.origin(of: lane), world.author(of: lane)) : (.program, .program)
    guard case .step(let performed, let phase) = action else {
      (whole, kind, done, committed) = (nil, nil, nil, nil)
      return
    }
    switch phase {
    case .whole:
      (whole, kind, committed) = (performed, performed.step.kind, nil)
      done = signs.contains(.failures) ? nil : kind
    case .commit where !signs.contains(.failures):
      (whole, kind, done, committed) = (nil, nil, nil, performed.context)
    case .commit, .flush, .willSave, .finish:
      (whole, kind, done, committed) = (nil, nil, nil, nil)
    }
  }

  /// A Boolean value that indicates whether a step of the design looks objects up by remembered
  /// IDs.
  var usesRememberedIDs: Bool {
    guard author.isDesign, case .forEach(.remembered, _)? = whole?.step else { return false }
    return true
  }

  /// A Boolean value that indicates whether the action failed or had no effect.
  var hasFailed: Bool { signs.contains(.failures) }
}

/// The reads and writes of each context, in order. The proofs of violations consist of lines of the
/// journal.
struct Journal {
  struct Entry {
    var witness: ProofLine
    /// All values that a fired fault showed, indexed by slot.
    var values: [Value] = []
  }

  private(set) var entries: [Entry] = []

  var count: Int { entries.count }

  package mutating func note(_ moment: Moment, in world: World) {
    if !moment.signs.isDisjoint(with: [.loads, .hookSets]) { noteLoads(moment, in: world) }
    // The values that a batch insertion overwrites are noted with the request.
    if !world.graph.result.evidence.isEmpty, moment.kind != .batchInsert {
      noteWrites(moment, in: world)
    }
    switch moment.action {
    case .merge(_, let number), .mergeRemote(_, let number):
      noteMerge(.merges(from: world.graph.poster(of: number), by: moment.origin), moment, in: world)
    default: break
    }
    if let step = moment.whole, !moment.hasFailed { note(step, moment, in: world) }
  }

  private mutating func add(
    _ moment: Moment, _ context: ContextID, _ operation: ProofLine.Operation,
    _ object: ObjectID? = nil,
    _ property: PropertyID? = nil, values: [Value] = []
  ) {
    assert(moment.step >= 0, "an action of step \(moment.step)")
    assert(
      values.isEmpty || object != nil, "values are noted of no object in \(context.index)")
    assert(property == nil || object != nil, "a property is noted of no object")
    entries.append(
      Entry(
        witness: ProofLine(operation, by: context, of: object, property, step: moment.step),
        values: values
      ))
  }

  private mutating func note(_ step: AddressedStep, _ moment: Moment, in world: World) {
    let context = step.context
    switch step.step {
    case .get(let name, let property, as: _):
      for event in world.graph.result.events {
        switch event {
        case .value(let value):
          add(moment, context, .reads(value), world.lifelongID(of: name, in: context), property)
        case .collection(let ids):
          add(
            moment, context, .readsMembers(ids), world.lifelongID(of: name, in: context), property)
        default: continue
        }
      }
    case .set(let name, let property, let value), .setPrimitive(let name, let property, let value):
      add(moment, context, .sets(value), world.lifelongID(of: name, in: context), property)
    case .increment(let name, let property, by: let amount):
      guard case .value(let value)? = world.graph.result.events.last else { return }
      if case .integer(let sum) = value {
        // At an end of the type's range, the number that was read may also be the sum.
        let (read, overflows) = sum.subtractingReportingOverflow(amount)
        add(
          moment, context, .reads(.integer(overflows ? sum : read)),
          world.lifelongID(of: name, in: context), property)
      }
      add(moment, context, .sets(value), world.lifelongID(of: name, in: context), property)
    case .relate(let name, let property, let reference):
      let destination = reference.flatMap { world.graph.heldID($0.context, $0.name) }
      add(
        moment, context, .sets(destination.map { .object($0) } ?? .null),
        world.lifelongID(of: name, in: context), property)
    case .delete(let name): add(moment, context, .deletes, world.lifelongID(of: name, in: context))
    case .forEach(_, .delete):
      for case .object(let id) in world.graph.result.events {
        add(moment, context, .deletes, world.lifelongID(id))
      }
    case .refresh(let name, mergeChanges: _):
      add(moment, context, .refreshes, world.lifelongID(of: name, in: context))
    case .refreshAllObjects: add(moment, context, .refreshes)
    case .rollback: add(moment, context, .rollsBack)
    case .reset: add(moment, context, .resets)
    case .discard: add(moment, context, .discards)
    case .kill: add(moment, context, .kill)
    case .removeStore(let store): note(store, isDestroyed: false, moment, by: context)
    case .destroyStore(let store, isRecreated: _):
      note(store, isDestroyed: true, moment, by: context)
    case .mergeHistory: noteMerge(.mergesHistory, moment, in: world)
    case .batch(let request):
      guard case .batched(let sets, _)? = world.graph.result.events.last else { return }
      for id in sets.deleted { add(moment, context, .batchDeletes, world.lifelongID(id)) }
      for id in sets.inserted { noteInsertion(id, moment, by: context, in: world) }
      for change in request.changes(in: world) {
        add(
          moment, context, .batchSets(change.value), world.lifelongID(change.object),
          change.property)
      }
    default: break
    }
  }

  /// Notes the attributes with which a batch request has inserted a row.
  private mutating func noteInsertion(
    _ id: ObjectID, _ moment: Moment, by context: ContextID, in world: World
  ) {
    guard let values = world.graph.storedValues(of: id) else { return }
    for property in world.model[id.entity].attributeIDs {
      let value = values[world.graph.slot(of: property, in: id.entity)]
      if value.isNull || world.model[id.entity][property].attribute?.isTransient == true {
        continue
      }
      add(moment, context, .batchSets(value), world.lifelongID(id), property)
    }
  }

  private mutating func note(
    _ store: StoreID, isDestroyed: Bool, _ moment: Moment, by context: ContextID
  ) {
    let taking = ProofLine.StoreTaking(
      store: store, isDestroyed: isDestroyed, isDesigns: moment.author.isDesign)
    add(moment, context, .takesStore(taking))
  }

  /// Notes loads and the values that hooks set. An endless `willSave` sets one property a thousand
  /// times, of which only the last value is noted.
  private mutating func noteLoads(_ moment: Moment, in world: World) {
    let lastSets =
      moment.signs.contains(.hookSets) ? HookSet.lastOfMany(world.graph.result.events) : [:]
    for (index, event) in world.graph.result.events.enumerated() {
      switch event {
      case .hook(.awakeFromFetch, let context, let id):
        guard let view = world.graph.inspect(exactly: id, in: context)?.view, !view.isFault else {
          continue
        }
        add(moment, context, .loads(.null), world.lifelongID(id), values: view.values)
      case .hookSet(let context, let id, let property, let value):
        guard HookSet.isLast(index, of: world.graph.result.events, lastSets) else { continue }
        add(moment, context, .sets(value), world.lifelongID(id), property)
      default: continue
      }
    }
  }

  /// The property that a hook sets, with its object and context.
  private struct HookSet: Hashable {
    var context: ContextID
    var object: ObjectID
    var property: PropertyID

    init?(_ event: Event) {
      guard case .hookSet(let context, let object, let property, _) = event else { return nil }
      (self.context, self.object, self.property) = (context, object, property)
    }

    /// Returns the index of the last event that sets each property. Returns an empty dictionary for
    /// few events, where a search is faster.
    static func lastOfMany(_ events: [Event]) -> [HookSet: Int] {
      var last: [HookSet: Int] = [:]
      var count = 0
      for event in events { if case .hookSet = event { count += 1 } }
      if count <= 8 { return last }
      for index in events.indices {
        if let set = HookSet(events[index]) { last[set] = index }
      }
      return last
    }

    /// Returns a Boolean value that indicates whether no later event sets the same property.
    static func isLast(_ index: Int, of events: [Event], _ last: [HookSet: Int]) -> Bool {
      guard let set = HookSet(events[index]) else { return false }
      if !last.isEmpty { return last[set] == index }
      for later in index + 1..<events.count where HookSet(events[later]) == set { return false }
      return true
    }
  }

  private mutating func noteWrites(_ moment: Moment, in world: World) {
    for case .leftOut(let context, let object) in world.graph.result.evidence {
      add(moment, context, .leavesOut, world.lifelongID(object))
    }
    for evidence in world.graph.result.evidence {
      guard let (change, _, new) = evidence.write else { continue }
      add(
        moment, change.context, .saves(new, to: change.parent), world.lifelongID(change.object),
        change.property)
    }
  }

  private mutating func noteMerge(
    _ operation: ProofLine.Operation, _ moment: Moment, in world: World
  ) {
    for case .didMergeChanges(let target, let sets) in world.graph.result.events {
      let touched = (sets.updated + sets.refreshed + sets.deleted).sorted()
      for (index, id) in touched.enumerated() where index == 0 || touched[index - 1] != id {
        add(moment, target, operation, world.lifelongID(id))
      }
    }
  }

  // MARK: Looking back

  /// Returns the position of the latest entry that `matches`, before `end`.
  func last(before end: Int? = nil, where matches: (ProofLine) -> Bool) -> Int? {
    assert(0...entries.count ~= end ?? 0, "the journal has \(entries.count) lines")
    // A slice would retain the list.
    var position = end ?? entries.count
    while position > 0 {
      position -= 1
      if matches(entries[position].witness) { return position }
    }
    return nil
  }

  /// Returns entries as a proof, each once, in order of occurrence.
  func lines(_ positions: [Int?]) -> [ProofLine] {
    var kept: [Int] = []
    for position in positions.compactMap(\.self).sorted() where kept.last != position {
      assert(entries.indices.contains(position), "line \(position) of \(entries.count)")
      kept.append(position)
    }
    return kept.map { entries[$0].witness }
  }

  /// Returns the line at which one of the contexts last saw that the property is `value`.
  func sight(
    of value: Value, _ object: ObjectID, _ property: PropertyID, in contexts: [ContextID],
    before end: Int? = nil, _ world: World
  ) -> ProofLine? {
    assert(0...entries.count ~= end ?? 0, "the journal has \(entries.count) lines")
    let slot = world.graph.slot(of: property, in: object.entity)
    for entry in entries[..<(end ?? entries.count)].reversed() {
      guard entry.witness.object == object, let context = entry.witness.context,
        contexts.contains(context)
      else { continue }
      switch entry.witness.operation {
      case .reads(value) where entry.witness.property == property: return entry.witness
      case .loads where entry.values.indices.contains(slot) && entry.values[slot] == value:
        return ProofLine(
          .loads(value), by: context, of: object, property, step: entry.witness.step)
      default: continue
      }
    }
    return nil
  }
}

extension World {
  /// Returns the ID by which an object is known from its first context to its row.
  package func lifelongID(_ id: ObjectID) -> ObjectID { graph.originalTemporaryID(of: id) ?? id }

  /// Returns the lifelong ID of the object that the program holds under `name`.
  func lifelongID(of name: ObjectName, in context: ContextID) -> ObjectID? {
    guard let id = graph.heldID(context, name) else { return nil }
    return lifelongID(id)
  }

  /// Returns the value. If it is an object, uses the object's lifelong ID.
  func lifelong(_ value: Value) -> Value {
    if case .object(let id) = value { .object(lifelongID(id)) } else { value }
  }
}
