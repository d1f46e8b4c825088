import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The list behind an `NSFetchedResultsController` of any result type. The engine fills and updates
/// it.
final class ResultsController {
  let context: NSManagedObjectContext
  let sectionNameKeyPath: String?
  let cacheName: String?
  weak var delegate: (any NSFetchedResultsControllerDelegate)?
  /// The controller to pass to the delegate. If it is nil, because its result type is not the
  /// delegate's, a substitute is created for each call.
  weak var controller: NSFetchedResultsController<any NSFetchRequestResult>?
  /// The request of a substitute controller.
  var request: NSFetchRequest<any NSFetchRequestResult>?
  private var id: ControllerID?
  /// A Boolean value that indicates whether the engine knows the sections. If false, the objects
  /// provide the value at the key path.
  private var hasSectionsOfEngine = true
  /// The sort descriptors, if the engine cannot sort by them.
  var order: [NSSortDescriptor] = []
  private(set) var sections: [Section]?

  init(_ context: NSManagedObjectContext, _ sectionNameKeyPath: String?, cacheName: String?) {
    (self.context, self.sectionNameKeyPath, self.cacheName) = (
      context, sectionNameKeyPath, cacheName
    )
  }

  /// Returns the controller's index title for a section name.
  var title: (String) -> String? = { _ in nil }

  struct Section: NSFetchedResultsSectionInfo {
    let name: String
    let members: [NSManagedObject]
    let title: (String) -> String?
    var indexTitle: String? { title(name) }
    var numberOfObjects: Int { members.count }
    var objects: [Any]? { members }
    /// A copy of a removed section without objects, which the delegate receives.
    var emptied: Section { Section(name: name, members: [], title: title) }
  }

  var hasDelegate: Bool { delegate != nil }
  var objects: [NSManagedObject]? { sections?.flatMap(\.members) }

  func fetch(_ request: FetchRequest) {
    let controller = declare(request)
    if request.tree?.hasWords == false { context.run.noteMore() }
    context.act(.performFetch(controller))
    update()
  }

  private func declare(_ request: FetchRequest) -> ControllerID {
    let state = context.state
    var declared = Stack.ResultsController(
      name: "", context: context.id, request: request,
      sectionProperty: sectionNameKeyPath.flatMap { key in
        let property = state.run.model[request.entity].property(named: key)
        return property == request.sortDescriptors.first?.property ? property : nil
      })
    hasSectionsOfEngine =
      order.isEmpty && (sectionNameKeyPath == nil || declared.sectionProperty != nil)
    if let id {
      declared.name = state.run.stack.controllers[id.index].name
      state.run.declare { stack, _ in stack.controllers[id.index] = declared }
      return id
    }
    declared.name = state.uniqueName("list")
    let new = state.add(self, declared)
    id = new
    return new
  }

  /// Updates the sections to match the engine's.
  private func update() {
    guard let id else { return }
    let run = context.run
    let shown = run.read { $0.shownSections(of: id) }
    guard hasSectionsOfEngine else {
      let ids = shown.flatMap(\.objects)
      sections = grouped(
        (order.isEmpty ? ids : context.sorted(ids, by: order, beyond: \.isBeyondLists)).map {
          context.object(for: $0)
        })
      return
    }
    sections = shown.map { section in
      Section(
        name: name(of: section.name), members: section.objects.map { context.noted($0) },
        title: title)
    }
  }

  /// Groups neighboring objects of equal section name. Traps if a name recurs after another name,
  /// because Core Data requires objects that are sorted by section.
  private func grouped(_ objects: [NSManagedObject]) -> [Section] {
    var groups: [(name: String, members: [NSManagedObject])] = []
    for object in objects {
      let name = sectionNameKeyPath.flatMap { object.value(forKeyPath: $0) }.map { "\($0)" } ?? ""
      if groups.last?.name == name {
        groups[groups.count - 1].members.append(object)
      } else if groups.contains(where: { $0.name == name }) {
        misuse("the objects of a list are not sorted by section: section '\(name)' occurs again")
      } else {
        groups.append((name, [object]))
      }
    }
    // Without a section key path, even an empty list has one section.
    if groups.isEmpty, sectionNameKeyPath == nil { groups = [("", [])] }
    return groups.map { Section(name: $0.name, members: $0.members, title: title) }
  }

  /// Converts an update to a move if the object's position relative to the objects without an
  /// update has changed.
  private func arranged(
    _ changes: [ResultsChange], _ old: [Section], _ new: [Section]
  ) -> [ResultsChange] {
    let updated = changes.compactMap { change -> NSManagedObject? in
      if case .update(let id, _) = change { context.object(for: id) } else { nil }
    }
    func rank(_ object: NSManagedObject, in sections: [Section]) -> (Int, String) {
      var rank = 0
      for section in sections {
        for member in section.members {
          if member === object { return (rank, section.name) }
          if !updated.contains(where: { $0 === member }) { rank += 1 }
        }
      }
      return (rank, "")
    }
    return changes.map { change in
      guard case .update(let id, let place) = change else { return change }
      let object = context.object(for: id)
      return rank(object, in: old) == rank(object, in: new)
        ? change : .move(id, from: place, to: place)
    }
  }

  private func name(of value: Value) -> String {
    guard let key = sectionNameKeyPath, let id else { return "" }
    let entity = context.run.model[context.run.stack.controllers[id.index].request.entity]
    guard let property = entity.property(named: key) else { return "" }
    return context.plain(value, entity[property]).map { "\($0)" } ?? ""
  }

  // MARK: The delegate

  /// Returns the delegate's index title for a section name or, without a delegate, the first
  /// letter.
  func titleByDelegate(_ name: String) -> String? {
    guard let delegate else { return name.first.map { String($0).uppercased() } }
    let controller = controller ?? NSFetchedResultsController(sharing: self)
    return delegate.controller(controller, sectionIndexTitleForSectionName: name)
  }

  func tellDelegate(_ changes: [ResultsChange]) {
    guard let delegate, let old = sections else { return }
    let controller = controller ?? NSFetchedResultsController(sharing: self)
    delegate.controllerWillChangeContent(controller)
    update()
    let new = sections ?? []
    if !hasSectionsOfEngine {
      for index in old.indices.reversed() where !new.contains(where: { $0.name == old[index].name })
      {
        tell(delegate, controller, .deleteSection(index), old, new)
      }
      for index in new.indices where !old.contains(where: { $0.name == new[index].name }) {
        tell(delegate, controller, .insertSection(index), old, new)
      }
    }
    let all = order.isEmpty ? changes : arranged(changes, old, new)
    for change in all { tell(delegate, controller, change, old, new) }
    let ids = (old.flatMap(\.members), new.flatMap(\.members))
    delegate.controller(
      controller,
      didChangeContentWith: ids.1.map(\.objectID).difference(from: ids.0.map(\.objectID)))
    delegate.controllerDidChangeContent(controller)
  }

  private func tell(
    _ delegate: any NSFetchedResultsControllerDelegate,
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, _ change: ResultsChange,
    _ old: [Section], _ new: [Section]
  ) {
    func path(
      _ path: Vocabulary.IndexPath, of id: ObjectID, in sections: [Section]
    ) -> Foundation.IndexPath {
      guard !hasSectionsOfEngine else {
        return Foundation.IndexPath(item: path.item, section: path.section)
      }
      // An engine that does not know the sections has only one, and may sort differently.
      let object = context.noted(id)
      for (index, section) in sections.enumerated() {
        if let item = section.members.firstIndex(where: { $0 === object }) {
          return Foundation.IndexPath(item: item, section: index)
        }
      }
      preconditionFailure("a list does not have what it tells")
    }
    func tell(
      _ id: ObjectID, from: Vocabulary.IndexPath?, _ type: NSFetchedResultsChangeType,
      to: Vocabulary.IndexPath?
    ) {
      delegate.controller(
        controller, didChange: context.noted(id), at: from.map { path($0, of: id, in: old) },
        for: type,
        newIndexPath: to.map { path($0, of: id, in: new) })
    }
    switch change {
    case .deleteSection(let index):
      delegate.controller(
        controller, didChange: old[index].emptied, atSectionIndex: index, for: .delete)
    case .insertSection(let index):
      delegate.controller(
        controller, didChange: new[index], atSectionIndex: index, for: .insert)
    case .delete(let id, let from): tell(id, from: from, .delete, to: nil)
    case .insert(let id, let to): tell(id, from: nil, .insert, to: to)
    case .move(let id, let from, let to): tell(id, from: from, .move, to: to)
    case .update(let id, let at): tell(id, from: at, .update, to: at)
    }
  }
}
