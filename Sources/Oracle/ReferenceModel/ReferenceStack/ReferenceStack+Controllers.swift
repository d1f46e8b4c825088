import ObjectModel
import Vocabulary

/// Fetched-results controllers.
extension ReferenceStack {
  /// Performs a controller's fetch. §perform-fetch
  mutating func performFetch(_ controller: ControllerID, in c: ContextID) {
    precondition(stack.controllers[controller.index].context == c, "another context's controller")
    let request = stack.controllers[controller.index].request
    let found = fetch(query(request), in: c)
    // §perform-fetch.2: firing may change the values by which the fetch has sorted.
    lists[controller.index].entries = found.map { id in
      entry(id, showing: values(of: id, in: c), request)
    }
    lists[controller.index].isListening = true
    if !request.returnsObjectsAsFaults {
      for x in found { _ = fire(x, in: c) }
    }
    // An app's code holds the objects of a list itself.
    if holdsResults { for id in found { bindUnderItsName(id, in: c) } }
    events.append(.sections(controller, sectioned(controller).sections))
  }

  /// Updates the controllers of `c`, which process only the objects in its ObjectsDidChange
  /// (NT-18). §update-controllers
  mutating func tellControllers(_ sets: ChangeSets, in c: ContextID) {
    // Usually no list listens.
    var named: [ObjectID]?
    for index in lists.indices
    where stack.controllers[index].context == c && lists[index].isListening {
      let all = named ?? ReferenceStack.all(of: sets)
      named = all
      tell(ControllerID(index), of: all, in: c)
    }
  }

  /// Returns the IDs in any of the sets, in ID order.
  private static func all(of sets: ChangeSets) -> [ObjectID] {
    var named: [ObjectID] = []
    for id in (sets.inserted + sets.updated + sets.deleted + sets.refreshed).sorted()
    where named.last != id {
      named.append(id)
    }
    return named
  }

  /// Updates a controller. §update-controller
  private mutating func tell(_ controller: ControllerID, of named: [ObjectID], in c: ContextID) {
    assert(named.isStrictlyAscending, "a notification names objects out of order")
    let request = stack.controllers[controller.index].request
    let concerned = named.filter { takes($0, request, under: c) }
    if concerned.isEmpty { return }

    let old = lists[controller.index].entries
    let members = concerned.filter { isMember($0, request, in: c) }
    var new = old.filter { !concerned.contains($0.id) }
    new += members.map { entry($0, showing: self[c, $0].values, request) }
    new.sort { precedes($0, $1, request.sortDescriptors) }
    assert(new.map(\.id).hasNoDuplicates, "a list shows an object twice")

    let before = sectioned(controller)
    lists[controller.index].entries = new
    let changes = changes(
      from: old, before, to: new, sectioned(controller), concerning: members)
    if !changes.isEmpty { events.append(.controllerDidChangeContent(controller, changes)) }
  }

  /// Computes the changes of a controller. §controller-changes
  private func changes(
    from old: [ResultsList.Entry], _ before: SectionedEntries,
    to new: [ResultsList.Entry], _ after: SectionedEntries, concerning members: [ObjectID]
  ) -> [ResultsChange] {
    var changes: [ResultsChange] = []
    for (index, section) in before.sections.enumerated() where !after.hasSection(section.name) {
      changes.append(.deleteSection(index))
    }
    for (index, section) in after.sections.enumerated() where !before.hasSection(section.name) {
      changes.append(.insertSection(index))
    }
    for entry in old where !new.contains(where: { $0.id == entry.id }) {
      changes.append(.delete(entry.id, from: before.path(of: entry.id)))
    }
    for entry in new where !old.contains(where: { $0.id == entry.id }) {
      changes.append(.insert(entry.id, to: after.path(of: entry.id)))
    }
    for entry in new where members.contains(entry.id) {
      guard let earlier = old.first(where: { $0.id == entry.id }) else { continue }
      let from = before.path(of: entry.id)
      let to = after.path(of: entry.id)
      let isElsewhere =
        to != from || before.sections[from.section].name != after.sections[to.section].name
      if entry.sortValues != earlier.sortValues, isElsewhere {
        changes.append(.move(entry.id, from: from, to: to))
      } else {
        changes.append(.update(entry.id, at: from))
      }
    }
    return changes
  }

  // MARK: Members

  /// Returns true if a request takes the entity and the store of an object. §update-controller.1
  private func takes(_ id: ObjectID, _ request: FetchRequest, under c: ContextID) -> Bool {
    isOfEntity(id, request) && isInAffectedStore(id, request, c)
  }

  /// Returns true if a concerned object is a member now. §update-controller.4
  private mutating func isMember(_ id: ObjectID, _ request: FetchRequest, in c: ContextID) -> Bool {
    guard let instance = contexts[c.index].instances[id], !instance.isRemoved, fire(id, in: c)
    else { return false }
    return matches(self[c, id].values, query(request).conditions)
      && holds(request.tree, id, shownIn: c)
  }

  /// Creates an entry with the sort values of an object.
  private func entry(
    _ id: ObjectID, showing values: [Value], _ request: FetchRequest
  ) -> ResultsList.Entry {
    ResultsList.Entry(
      id: id,
      sortValues: request.sortDescriptors.map { descriptor in
        values[shape(of: descriptor.property.index, of: id).slot]
      })
  }

  /// Orders entries by the descriptors, and by ID if all sort values are equal.
  /// §update-controller.5
  private func precedes(
    _ a: ResultsList.Entry, _ b: ResultsList.Entry, _ descriptors: [FetchRequest.SortDescriptor]
  ) -> Bool {
    for (index, descriptor) in descriptors.enumerated() {
      if order.precedes(a.sortValues[index], b.sortValues[index]) { return descriptor.ascending }
      if order.precedes(b.sortValues[index], a.sortValues[index]) { return !descriptor.ascending }
    }
    return a.id < b.id
  }

  private func sectioned(_ controller: ControllerID) -> SectionedEntries {
    SectionedEntries(
      lists[controller.index].entries,
      isSectioned: stack.controllers[controller.index].sectionProperty != nil)
  }

  // MARK: What happens to the context

  /// Empties the controllers of `c`. §empty-controllers
  mutating func emptyControllers(of c: ContextID) {
    for index in lists.indices where stack.controllers[index].context == c {
      lists[index] = ResultsList()
    }
  }

  /// Renames the entries of controllers of `c`. `isFree` is false if another instance of `c` had
  /// the permanent ID already. §rename-entries
  mutating func renameEntries(_ t: ObjectID, to p: ObjectID, isFree: Bool, in c: ContextID) {
    for list in lists.indices where stack.controllers[list].context == c {
      for entry in lists[list].entries.indices {
        if isFree, lists[list].entries[entry].id == t { lists[list].entries[entry].id = p }
        lists[list].entries[entry].sortValues = lists[list].entries[entry].sortValues.map {
          $0 == .object(t) ? .object(p) : $0
        }
      }
    }
  }

  /// Returns true if a listening controller has an entry for an object. §needed.7
  func isListed(_ id: ObjectID, in c: ContextID) -> Bool {
    for index in lists.indices
    where stack.controllers[index].context == c && lists[index].isListening
      && lists[index].lists(id)
    {
      return true
    }
    return false
  }
}
