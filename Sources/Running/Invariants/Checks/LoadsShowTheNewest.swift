import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Checks that a fired fault shows the newest value of each attribute. The newest value is the
/// unsaved change of the nearest ancestor that has one, or the stored value. A root has no
/// ancestors, but may show an old row of the row cache, which other writers bypassed (FL-05).
struct StaleLoads: InvariantCheck {
  static let invariants: [Invariant] = [.LoadsShowTheNewest]
  static let signs = EventSigns.loads

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    for event in world.graph.result.events {
      guard case .hook(.awakeFromFetch, let context, let id) = event else { continue }
      let isCacheBehind = world.graph.isCacheBehind(id, above: context)
      if world.graph.isRoot(context), !isCacheBehind { continue }
      guard let loaded = world.graph.inspect(exactly: id, in: context), !loaded.view.isFault else {
        continue
      }
      for property in world.model.entities[id.entity.index].storedAttributeIDs
      where !loaded.isChanged(property) {
        // Ignores values that the action has set since, by primitive setters or by undoing.
        guard let shown = loaded.baseValue(of: property, in: world.graph) else { continue }
        // A class may overwrite loaded values in `awakeFromFetch`, here and in ancestors.
        guard !world.graph.isWrittenByHooks(property, of: id.entity),
          let newest = newestValue(of: property, id, above: context, in: world),
          newest != shown
        else { continue }
        var violation = Violation(
          .LoadsShowTheNewest, in: context, object: id, property: property,
          values: [newest, shown])
        // If an ancestor already had the value, the load did not ask the row cache.
        violation.site =
          isCacheBehind && !hasAncestorThatKnew(id, above: context, world) ? .store : .program
        if notes.proves {
          violation.proof = notes.journal.staleRead(
            ProofSubject(
              context: context, object: world.lifelongID(id), property: property), of: shown,
            newest: newest, in: world)
        }
        found.append(violation)
      }
    }
  }
}

/// Returns a Boolean value that indicates whether an ancestor showed the object before the load,
/// and was not refreshed for it.
private func hasAncestorThatKnew(_ id: ObjectID, above context: ContextID, _ world: World) -> Bool {
  guard world.graph.quirks.contains(.ancestorCacheHidesUpdates) else { return false }
  return world.stack.chain(from: context).dropFirst().contains { ancestor in
    guard let instance = world.graph.inspect(id, in: ancestor), !instance.view.isFault else {
      return false
    }
    return !world.graph.result.events.contains { event in
      if case .hook(.awakeFromFetch, ancestor, let loaded) = event {
        world.lifelongID(loaded) == world.lifelongID(id)
      } else {
        false
      }
    }
  }
}

private func newestValue(
  of property: PropertyID, _ id: ObjectID, above context: ContextID, in world: World
) -> Value? {
  var above = world.graph.parent(of: context)
  while let ancestor = above {
    above = world.graph.parent(of: ancestor)
    guard let instance = world.graph.inspect(id, in: ancestor), !instance.view.isFault else {
      continue
    }
    if instance.isPendingDeletion { return nil }
    let value = instance.view.values[world.graph.slot(of: property, in: id.entity)]
    let isUnsaved =
      instance.isChanged(property) || instance.baseValue(of: property, in: world.graph) != value
    if instance.view.isInserted || isUnsaved { return value }
  }
  return world.graph.storedValues(of: id)?[world.graph.slot(of: property, in: id.entity)]
}

extension Journal {
  fileprivate func staleRead(
    _ subject: ProofSubject, of value: Value, newest: Value, in world: World
  ) -> [ProofLine] {
    let ancestors = Array(world.stack.chain(from: subject.context).dropFirst())
    let copy = sight(of: value, subject.object, subject.property, in: ancestors, world)
    let save = lastSave(subject, newest, here: false) ?? lastSave(subject, newest, here: true)
    return inOrder(
      [copy].compactMap(\.self) + lines([lastSet(subject, newest), save])
        + [load(subject, value)].compactMap(\.self))
  }
}
