import ObjectModel
package import Vocabulary

/// What a program can ask of one object, and do to it behind the back of change tracking.
extension ReferenceStack {
  /// `hasChanges` of a context.
  package mutating func hasChanges(_ c: ContextID) -> Bool {
    !pending(in: c) { $0.change != nil }.isEmpty
  }

  mutating func ask(_ step: Step, in c: ContextID) {
    switch step {
    case .setPrimitive(let name, let property, let value):
      guard let x = resolveAndFire(name, in: c) else { return }
      // CT-06: change tracking does not notice.
      self[c, x].values[shape(of: property.index, of: x).slot] = value
    case .insertAgain(let name):
      insertAgain(name, in: c)
    case .validate(let name, let validation):
      guard let x = resolveAndFire(name, in: c) else { return }
      var issues: [Failure.Issue] = []
      if validation == .forDelete {
        noteDeletionIssues(of: x, in: c, &issues)
      } else {
        notePropertyIssues(of: x, in: c, &issues)
      }
      events.append(issues.isEmpty ? .saved : .failed(.validation(issues)))

    case .changedValues(let name):
      guard let x = resolveAndFire(name, in: c) else { return }
      let instance = self[c, x]
      // CT-03: also what was set to an equal value.
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
      // CT-07, CT-08: what was inserted and deleted before any save is no change.
      events.append(.flag(hasChanges(c)))

    case .uriRepresentation(let name):
      guard let x = resolve(name, in: c) else { return }
      events.append(.uri(ObjectURI.text(x, in: model)))
    case .objectForURI(let reference, let name):
      guard let id = id(of: reference) else { return }
      // ID-30: a URI of no store that is attached leads nowhere.
      guard isWithinReach(id, of: c) else {
        events.append(.nothing)
        return
      }
      answer(reach(id, in: c), as: name, in: c)
    default: preconditionFailure("\(step) asks nothing")
    }
  }

  /// The realised instance under `name`; without one, the step has had its answer.
  private mutating func resolveAndFire(_ name: ObjectName, in c: ContextID) -> ObjectID? {
    guard let x = resolve(name, in: c), fireOrFail(x, in: c) else { return nil }
    return x
  }

  /// Answers those of `values` and `collections` whose properties are wanted.
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

  /// CT-04: as last loaded or saved, which an insertion never was.
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

  /// CT-05: how what the running event has changed was before it.
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

  /// CT-02
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

  /// ID-34
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
