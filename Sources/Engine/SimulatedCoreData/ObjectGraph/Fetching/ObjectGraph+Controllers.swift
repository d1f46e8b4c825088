import ObjectModel
package import Vocabulary

/// Counterpart of `NSFetchedResultsController`: its latest list. §controller-state
struct ResultsController: Hashable {
  struct Entry: Hashable {
    var id: ObjectID
    /// The values by which the object is sorted, one for each sort descriptor.
    var sortValues: [Value]
  }

  /// A Boolean value that indicates whether the controller updates its list. False until the first
  /// `performFetch`, and again after a reset.
  var isListening = false
  var entries: [Entry] = []
}

/// Fetched-results controllers: their lists, and the changes reported to their delegates.
extension ObjectGraph {
  func isListenedTo(_ context: ContextID) -> Bool {
    for index in controllers.indices
    where controllers[index].isListening && stack.controllers[index].context == context {
      return true
    }
    return false
  }

  /// Decides whether a controller shows an object, and thereby keeps it registered. §needed.7
  func isListed(_ id: ObjectID, in context: ContextID) -> Bool {
    for index in controllers.indices where stack.controllers[index].context == context {
      if controllers[index].entries.contains(where: { $0.id == id }) { return true }
    }
    return false
  }

  /// Empties the controllers of a context. §empty-controllers
  mutating func silenceControllers(of context: ContextID) {
    for index in controllers.indices where stack.controllers[index].context == context {
      if controllers[index].isListening { marks.insert(.listIsSilenced) }
      controllers[index] = ResultsController()
      contexts[context.index].mayCollect = true
    }
  }

  /// Renames entries when an ID becomes permanent. §rename-entries
  ///
  /// - Parameter isFree: Whether no other instance of the context has the permanent ID.
  mutating func renameEntries(
    _ temporary: ObjectID, to permanent: ObjectID, isFree: Bool, in context: ContextID
  ) {
    for index in controllers.indices where stack.controllers[index].context == context {
      for entry in controllers[index].entries.indices {
        if isFree, controllers[index].entries[entry].id == temporary {
          controllers[index].entries[entry].id = permanent
        }
        for value in controllers[index].entries[entry].sortValues.indices
        where controllers[index].entries[entry].sortValues[value] == .object(temporary) {
          controllers[index].entries[entry].sortValues[value] = .object(permanent)
        }
      }
    }
  }

  /// Performs the fetch of a controller. §perform-fetch
  mutating func performFetch(_ controller: ControllerID) {
    let declared = stack.controllers[controller.index]
    let ids = fetch(declared.request, in: declared.context)
    assert(ids.hasNoDuplicates, "a controller fetches an object twice")
    // §perform-fetch.2: `awakeFromFetch` may change the values that the request sorts by.
    controllers[controller.index].entries = ids.map { entry(for: $0, of: declared) }
    if !declared.request.returnsObjectsAsFaults {
      for id in ids { _ = fireQuietly(instance(id, in: declared.context), in: declared.context) }
    }
    bindResults(ids, in: declared.context)
    controllers[controller.index].isListening = true
    contexts[declared.context.index].mayCollect = true
    result.events.append(
      .sections(controller, sections(of: controllers[controller.index].entries, declared)))
  }

  private func entry(
    for id: ObjectID, of declared: Stack.ResultsController
  ) -> ResultsController.Entry {
    let values = visibleValues(of: id, in: declared.context)
    let shapes = shapes[declared.request.entity.index]
    return .init(
      id: id,
      sortValues: declared.request.sortDescriptors.map { values[shapes[$0.property.index].slot] })
  }

  func sections(
    of entries: [ResultsController.Entry], _ declared: Stack.ResultsController
  ) -> [ResultsSection] {
    if declared.sectionProperty == nil {
      return [ResultsSection(name: .null, objects: entries.map(\.id))]
    }
    var sections: [ResultsSection] = []
    for entry in entries {
      assert(!entry.sortValues.isEmpty, "sections need a sort descriptor")
      let name = entry.sortValues[0]
      if let last = sections.indices.last, sections[last].name == name {
        sections[last].objects.append(entry.id)
      } else {
        sections.append(ResultsSection(name: name, objects: [entry.id]))
      }
    }
    return sections
  }

  package func shownSections(of controller: ControllerID) -> [ResultsSection] {
    sections(of: controllers[controller.index].entries, stack.controllers[controller.index])
  }

  // MARK: Listening

  /// Updates the listening controllers of a context. §update-controllers
  mutating func tellControllers(of context: ContextID, _ sets: ChangeSets) {
    for index in controllers.indices
    where controllers[index].isListening && stack.controllers[index].context == context {
      tell(ControllerID(index), sets)
    }
  }

  /// Updates a controller and reports the changes of its list. §update-controller
  private mutating func tell(_ controller: ControllerID, _ sets: ChangeSets) {
    assert(controllers[controller.index].isListening, "a controller is told and does not listen")
    let declared = stack.controllers[controller.index]
    let concerned = objects(concerning: declared, in: sets)
    if concerned.isEmpty { return }
    let old = controllers[controller.index].entries
    var new = old.filter { !concerned.contains($0.id) }
    for id in concerned {
      guard let slot = lookup(id, in: declared.context),
        !contexts[declared.context.index].isPendingDeletion(slot),
        fireQuietly(slot, in: declared.context),
        matches(
          declared.request, contexts[declared.context.index].objects[slot].current.values,
          in: declared.context),
        holds(
          declared.request.tree, id,
          in: predicateView(.context, of: declared.context, for: declared.request.tree))
      else { continue }
      new.append(entry(for: id, of: declared))
    }
    new = sorted(new, by: declared.request)
    assert(new.map(\.id).hasNoDuplicates, "a controller shows an object twice")
    if bugs.contains(.controllerForgetsMoves), old.count == new.count { return }
    controllers[controller.index].entries = new
    contexts[declared.context.index].mayCollect = true
    let changes = changes(from: old, to: new, concerned, declared)
    if changes.isEmpty { return }
    for change in changes { marks.insert(Mark(change)) }
    result.events.append(.controllerDidChangeContent(controller, changes))
  }

  /// Returns the changed objects that can be in the list, without duplicates, by ID.
  /// §update-controller.1
  private func objects(
    concerning declared: Stack.ResultsController, in sets: ChangeSets
  ) -> [ObjectID] {
    let refreshed = bugs.contains(.controllerIgnoresRefreshes) ? [] : sets.refreshed
    let all = Set(sets.inserted + sets.updated + sets.deleted + refreshed)
    return all.filter {
      concerns(declared.request, $0.entity)
        && isInAffectedStore($0, declared.request, declared.context)
    }.sorted()
  }

  // A separate method, because a closure in a mutating method would copy the world.
  private func sorted(
    _ entries: [ResultsController.Entry], by request: FetchRequest
  ) -> [ResultsController.Entry] {
    entries.sorted { precedes($0, $1, by: request) }
  }

  private func precedes(
    _ a: ResultsController.Entry, _ b: ResultsController.Entry, by request: FetchRequest
  ) -> Bool {
    sortsBefore(a, b, by: request) ?? (a.id < b.id)
  }

  /// Returns whether the sort descriptors place `a` before `b`, or `nil` if they do not decide.
  func sortsBefore(
    _ a: ResultsController.Entry, _ b: ResultsController.Entry, by request: FetchRequest
  ) -> Bool? {
    for (index, descriptor) in request.sortDescriptors.enumerated() {
      let (x, y) = (a.sortValues[index], b.sortValues[index])
      if valueOrder.precedes(x, y) { return descriptor.ascending }
      if valueOrder.precedes(y, x) { return !descriptor.ascending }
    }
    return nil
  }

  /// Computes the changes of a controller. §controller-changes
  private func changes(
    from old: [ResultsController.Entry], to new: [ResultsController.Entry],
    _ concerned: [ObjectID], _ declared: Stack.ResultsController
  ) -> [ResultsChange] {
    let oldSections = sections(of: old, declared)
    let newSections = sections(of: new, declared)
    let from = places(in: oldSections)
    let to = places(in: newSections)
    var changes: [ResultsChange] = []
    for (index, section) in oldSections.enumerated()
    where !newSections.contains(where: { $0.name == section.name }) {
      changes.append(.deleteSection(index))
    }
    for (index, section) in newSections.enumerated()
    where !oldSections.contains(where: { $0.name == section.name }) {
      changes.append(.insertSection(index))
    }
    for place in from where !to.contains(where: { $0.id == place.id }) {
      changes.append(.delete(place.id, from: place.path))
    }
    for place in to where !from.contains(where: { $0.id == place.id }) {
      changes.append(.insert(place.id, to: place.path))
    }
    for place in to where concerned.contains(place.id) {
      guard let before = from.first(where: { $0.id == place.id }) else { continue }
      let changesSection =
        oldSections[before.path.section].name != newSections[place.path.section].name
      let hasMoved =
        (before.path != place.path || changesSection)
        && old.first { $0.id == place.id }?.sortValues
          != new.first { $0.id == place.id }?.sortValues
      changes.append(
        hasMoved
          ? .move(place.id, from: before.path, to: place.path)
          : .update(place.id, at: before.path))
    }
    return changes
  }

  private func places(in sections: [ResultsSection]) -> [(id: ObjectID, path: IndexPath)] {
    sections.enumerated().flatMap { number, section in
      section.objects.enumerated().map { item, id in
        (id, IndexPath(section: number, item: item))
      }
    }
  }
}
