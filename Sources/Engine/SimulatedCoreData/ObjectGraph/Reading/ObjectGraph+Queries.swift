import ObjectModel
import Vocabulary

/// Queries of one object, and changes of it without change tracking.
extension ObjectGraph {
  /// Performs a step that queries an object, sets a primitive value or inserts the object again.
  mutating func ask(_ step: Step, in context: ContextID) throws(StepFailure) {
    switch step {
    case .hasChanges: result.events.append(.flag(hasChanges(context)))
    case .objectForURI(of: let reference, as: let name):
      lookUpURI(of: reference, as: name, in: context)
    case .setPrimitive(let name, let property, let value):
      guard let slot = try realised(name, in: context) else { return }
      contexts[context.index].setPrimitive(property, of: slot, to: value, by: setting)
    case .insertAgain(let name):
      guard let slot = try held(name, in: context) else { return }
      try insertAgain(slot, in: context)
    case .uriRepresentation(let name):  // §uri-representation
      guard let slot = try held(name, in: context) else { return }
      result.events.append(
        .uri(ObjectURI.text(contexts[context.index].id(of: slot), in: model)))
    case .validate(let name, _), .changedValues(let name), .committedValues(let name),
      .changedValuesForCurrentEvent(let name), .hasPersistentChangedValues(let name):
      guard let slot = try held(name, in: context) else { return }
      try fire(slot, in: context)
      try answer(step, about: slot, in: context)
    default: preconditionFailure("\(step) is no question")
    }
  }

  /// Gets a property for the program. Returns `nil` for a to-many relationship or an unbound name.
  /// §get
  mutating func get(
    _ property: PropertyID, of name: ObjectName, in context: ContextID
  ) throws(StepFailure) -> Value? {
    if quirks.contains(.goneObjectReadsDefaults),
      case .gone(let id) = contexts[context.index].binding(of: name)
    {
      marks.insert(.goneObjectRead)
      return read(property, from: defaults(of: id.entity), of: id.entity)
    }
    guard let slot = try held(name, in: context) else { return nil }
    try fire(slot, in: context)
    use(property.index, of: slot, in: context)
    let object = contexts[context.index].objects[slot]
    return read(property, from: object.current, of: object.id.entity)
  }

  private mutating func read(
    _ property: PropertyID, from snapshot: ManagedObject.Snapshot, of entity: EntityID
  ) -> Value? {
    let shape = shapes[entity.index][property.index]
    guard shape.kind != .toMany else {
      result.events.append(.collection(snapshot.collections[shape.slot]))
      return nil
    }
    let value = snapshot.values[shape.slot]
    result.events.append(.value(value))
    return value
  }

  // MARK: Questions about a realised instance

  private mutating func answer(
    _ step: Step, about slot: Int, in context: ContextID
  ) throws(StepFailure) {
    assert(!contexts[context.index].isFault(slot), "slot \(slot) is asked before it is fired")
    if case .committedValues = step { useCollections(of: slot, in: context) }
    let object = contexts[context.index].objects[slot]
    switch step {
    case .validate(_, let validation):  // §validate
      let issues =
        validation == .forDelete
        ? deniedDeletes(of: slot, in: context) : issues(of: slot, in: context)
      if !issues.isEmpty { throw StepFailure(failure: .validation(issues)) }
      result.events.append(.saved)
    case .changedValues: result.events.append(.values(object.id, changedValues(of: object)))
    case .committedValues: result.events.append(.values(object.id, committedValues(of: object)))
    case .changedValuesForCurrentEvent:
      let start = contexts[context.index].eventStart(of: slot)
      result.events.append(.values(object.id, changedValues(of: object, since: start)))
    case .hasPersistentChangedValues:
      result.events.append(.flag(hasPersistentChangedValues(object)))
    default: preconditionFailure("\(step) asks nothing of an instance")
    }
  }

  /// Returns the new values of changed properties (CT-03). §changed-values
  private func changedValues(of object: ManagedObject) -> [PropertyContent] {
    let shapes = shapes[object.id.entity.index]
    return shapes.indices.filter { object.changed.contains($0) && !shapes[$0].isTransient }
      .map { content(of: $0, shapes[$0], in: object.current) }
  }

  /// Returns the last fetched or saved values (CT-04). §committed-values
  private func committedValues(of object: ManagedObject) -> [PropertyContent] {
    let shapes = shapes[object.id.entity.index]
    var committed = object.base
    if bugs.contains(.committedValuesAreCurrent) {
      committed = object.current
    } else if object.flags.contains(.inserted) {
      committed = nothing(of: object.id.entity)
    }
    return shapes.indices.filter { !shapes[$0].isTransient }
      .map { content(of: $0, shapes[$0], in: committed) }
  }

  /// Returns the old values of properties changed since the last ObjectsDidChange (CT-05).
  /// §current-event-values
  private func changedValues(
    of object: ManagedObject, since start: ManagedObject.State?
  ) -> [PropertyContent] {
    guard let start, !object.flags.contains(.reportInserted) else { return [] }
    var before = object
    before.base = start.snapshot
    let shapes = shapes[object.id.entity.index]
    return shapes.indices.filter {
      // §current-event-values.4.2
      !start.unfired.contains($0) && !object.unfired.contains($0)
        && before.differs(shapes[$0], by: setting)
    }
    .map { content(of: $0, shapes[$0], in: start.snapshot) }
  }

  /// Compares persistent values with saved values. Setting an equal value does not count (CT-02).
  /// §has-persistent-changed-values
  private func hasPersistentChangedValues(_ object: ManagedObject) -> Bool {
    guard !object.isPendingDeletion else { return false }
    let shapes = shapes[object.id.entity.index]
    if shapes.indices.contains(where: { object.isReallyChanged($0, by: setting) }) { return true }
    guard object.flags.contains(.inserted) else { return false }
    var new = object
    new.base = defaults(of: object.id.entity)
    return shapes.contains { !$0.isTransient && new.differs($0, by: setting) }
  }

  private func content(
    of property: Int, _ shape: PropertyShape, in snapshot: ManagedObject.Snapshot
  ) -> PropertyContent {
    shape.kind == .toMany
      ? PropertyContent(PropertyID(property), collection: snapshot.collections[shape.slot])
      : PropertyContent(PropertyID(property), snapshot.values[shape.slot])
  }

  // MARK: Marking

  /// Inserts an object again. The object must be inserted, or its insertion must have reached only
  /// the parent (ID-34). §insert-again
  private mutating func insertAgain(_ slot: Int, in context: ContextID) throws(StepFailure) {
    let c = context.index
    let object = contexts[c].objects[slot]
    if !object.flags.contains(.inserted) {
      let isPending = object.id.isTemporaryID && row(of: object.id) == object.id
      guard isPending, !object.isPendingDeletion else { return result.events.append(.nothing) }
      try fire(slot, in: context)
      guard !contexts[c].isPendingDeletion(slot) else {
        return result.events.append(.nothing)
      }
      marks.insert(.insertedOnceMore)
    }
    assert(!contexts[c].isPendingDeletion(slot), "slot \(slot) is inserted and deleted")
    contexts[c].startEvent(slot)
    contexts[c].unmark(slot, as: [.updated, .reportUpdated])
    contexts[c].mark(slot, as: [.inserted, .reportInserted])
    contexts[c].hasReports = true
    releaseCopyAbove(context)
  }

  /// Finds the object for a URI. A URI leads only to a row (ID-30). §object-for-uri
  private mutating func lookUpURI(
    of reference: HeldInstance, as name: ObjectName, in context: ContextID
  ) {
    guard let id = identify(reference) else { return }
    guard isInReach(id, for: context) else { return result.events.append(.nothing) }
    bind(name, to: instance(id, in: context), in: context)
  }
}
