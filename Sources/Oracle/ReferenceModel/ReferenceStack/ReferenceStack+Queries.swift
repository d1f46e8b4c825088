import ObjectModel
package import Vocabulary

/// Queries of one object, and changes that change tracking does not notice.
extension ReferenceStack {
  /// Returns true if a save of `c` would have something to act on. §has-changes
  package mutating func hasChanges(_ c: ContextID) -> Bool {
    !pending(in: c) { $0.change != nil }.isEmpty
  }

  /// Performs a step that queries an object, or that change tracking does not notice.
  mutating func ask(_ step: Step, in c: ContextID) {
    switch step {
    // §set-primitive
    case .setPrimitive(let name, let property, let value):
      guard let x = resolveAndFire(name, in: c) else { return }
      // §set-primitive.3 (CT-06)
      self[c, x].values[shape(of: property.index, of: x).slot] = value
    case .insertAgain(let name):
      insertAgain(name, in: c)
    // §validate
    case .validate(let name, let validation):
      guard let x = resolveAndFire(name, in: c) else { return }
      var issues: [Failure.Issue] = []
      if validation == .forDelete {
        noteDeletionIssues(of: x, in: c, &issues)
      } else {
        notePropertyIssues(of: x, in: c, &issues)
      }
      events.append(issues.isEmpty ? .saved : .failed(.validation(issues)))

    // §changed-values
    case .changedValues(let name):
      guard let x = resolveAndFire(name, in: c) else { return }
      let instance = self[c, x]
      // Properties that were set to an equal value are included (CT-03).
      answer(x, instance.values, instance.collections) {
        instance.changed.contains($0) && !$1.isTransient
      }
    case .committedValues(let name):
      committedValues(name, in: c)
    case .changedValuesForCurrentEvent(let name):
      changedValuesForCurrentEvent(name, in: c)
    case .hasPersistentChangedValues(let name):
      guard let x = resolveAndFire(name, in: c) else { return }
      events.append(.flag(hasPersistentChangedValues(self[c, x])))
    case .hasChanges:
      // An object that was inserted and deleted before any save does not count as a change (CT-07,
      // CT-08).
      events.append(.flag(hasChanges(c)))

    // §uri-representation
    case .uriRepresentation(let name):
      guard let x = resolve(name, in: c) else { return }
      events.append(.uri(ObjectURI.text(x, in: model)))
    // §object-for-uri
    case .objectForURI(let reference, let name):
      guard let id = id(of: reference) else { return }
      // §object-for-uri.2 (ID-30)
      guard isWithinReach(id, of: c) else {
        events.append(.nothing)
        return
      }
      answer(reach(id, in: c), as: name, in: c)
    default: preconditionFailure("\(step) asks nothing")
    }
  }

  /// Returns the realised instance under `name`, or nil if the step has ended.
  private mutating func resolveAndFire(_ name: ObjectName, in c: ContextID) -> ObjectID? {
    guard let x = resolve(name, in: c), fireOrFail(x, in: c) else { return nil }
    return x
  }

  /// Answers the wanted properties among `values` and `collections`.
  private mutating func answer(
    _ x: ObjectID, _ values: [Value], _ collections: [[ObjectID]],
    where isWanted: (Int, PropertyShape) -> Bool
  ) {
    var contents: [PropertyContent] = []
    for (property, shape) in shapes[x.entity.index].properties.enumerated()
    where isWanted(property, shape) {
      contents.append(
        shape.isToMany
          ? PropertyContent(PropertyID(property), collection: collections[shape.slot])
          : PropertyContent(PropertyID(property), values[shape.slot]))
    }
    events.append(.values(x, contents))
  }

  /// Answers the values as last loaded or saved. An insertion has none (CT-04). §committed-values
  private mutating func committedValues(_ name: ObjectName, in c: ContextID) {
    guard let x = resolveAndFire(name, in: c) else { return }
    for (property, shape) in shapes[x.entity.index].relationships
    where shape.isToMany && !shape.isTransient {
      use(property, of: x, in: c)
    }
    var committed = self[c, x].base
    if self[c, x].isInserted {
      committed.values = committed.values.map { _ in .null }
      committed.collections = committed.collections.map { _ in [] }
    }
    answer(x, committed.values, committed.collections) { !$1.isTransient }
  }

  /// Answers the earlier values of the properties that the running event has changed (CT-05).
  /// §current-event-values
  private mutating func changedValuesForCurrentEvent(_ name: ObjectName, in c: ContextID) {
    guard let x = resolveAndFire(name, in: c) else { return }
    let instance = self[c, x]
    guard !instance.event.contains(.inserted), case .present(let start)? = instance.eventStart
    else {
      events.append(.values(x, []))
      return
    }
    let now = instance.state
    answer(x, start.values, start.collections) { _, shape in
      shape.isToMany
        ? !now.agrees(with: start, inCollection: shape.slot)
        : instance.values[shape.slot] != start.values[shape.slot]
    }
  }

  /// Returns true if a persistent property differs from the base or, for an insertion, from its
  /// default (CT-02). §has-persistent-changed-values
  private func hasPersistentChangedValues(_ instance: Instance) -> Bool {
    if instance.isRemoved { return false }
    let shape = shapes[instance.id.entity.index]
    return shape.properties.enumerated().contains { property, shape in
      instance.isReallyChanged(property, shape)
        || instance.isInserted && !shape.isTransient && differsFromDefault(shape, of: instance)
    }
  }

  private func differsFromDefault(_ shape: PropertyShape, of instance: Instance) -> Bool {
    let defaults = shapes[instance.id.entity.index].defaults
    return shape.isToMany
      ? instance.collections[shape.slot] != defaults.collections[shape.slot]
      : instance.values[shape.slot] != defaults.values[shape.slot]
  }

  /// Inserts an object again (ID-34). §insert-again
  private mutating func insertAgain(_ name: ObjectName, in c: ContextID) {
    guard let x = resolve(name, in: c) else { return }
    if !self[c, x].isInserted {
      guard !self[c, x].isRemoved, row(x).isTemporaryID else {
        events.append(.nothing)
        return
      }
      guard fireForChange(x, in: c) else { return }
    }
    if !self[c, x].isFault { self[c, x].beginEvent() }
    assert(!self[c, x].isRemoved, "\(x) is inserted and deleted")
    self[c, x].isInserted = true
    self[c, x].isUpdated = false
    self[c, x].event.remove(.updated)
    self[c, x].event.insert(.inserted)
  }
}
