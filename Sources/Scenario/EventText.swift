package import ObjectModel
package import Vocabulary

/// Events as transcript lines: `edit  awakeFromInsert n {title: nil, stamp: nil}`.
package struct EventText {
  let model: ObjectModel
  let stack: Stack
  private let programName: (ObjectID) -> String?

  /// `name` is what the program calls an object, under its temporary and its permanent ID alike.
  package init(model: ObjectModel, stack: Stack, name: @escaping (ObjectID) -> String?) {
    self.model = model
    self.stack = stack
    programName = name
  }

  /// The kind of `event`; nil for answers, which a transcript always shows.
  package static func watched(_ event: Event) -> WatchedEvent? { WatchedEvent(event) }

  /// The words that answers begin with, behind their lane; those of a fetched-results controller
  /// begin with its name.
  static let answerWords = [
    "read", "found", "counted", "object", "nothing", "failed", "values", "yes", "no", "uri",
    "batched", "valid",
  ]

  /// The line for an event of `action`; nil for a save that went through, which is expected.
  package func line(for event: Event, of action: Action) -> String? {
    guard event == .saved else { return line(for: event, lane: action.context) }
    if case .step(let step, _) = action, case .validate = step.step {
      return line(step.context, "valid")
    }
    return nil
  }

  /// `lane` is the context of the step that `event` answers; other events name their own.
  package func line(for event: Event, lane: ContextID) -> String {
    switch event {
    case .value(let value): line(lane, "read \(text(value))")
    case .collection(let objects): line(lane, "read \(list(objects))")
    case .objects(let objects): line(lane, "found \(list(objects))")
    case .count(let count): line(lane, "counted \(count)")
    case .object(let object): line(lane, "object \(name(object))")
    case .nothing: line(lane, "nothing")
    case .failed(let failure): line(lane, "failed \(text(failure, in: lane))")
    case .saved: line(lane, "saved")
    case .objectIDs(let objects): line(lane, "found IDs \(list(objects))")
    case .dictionaries(let entity, let rows):
      line(lane, "found [\(rows.map { record($0, of: entity) }.joined(separator: " "))]")
    case .values(let object, let contents):
      line(lane, "values \(name(object)) \(record(contents, of: object.entity))")
    case .flag(let flag): line(lane, flag ? "yes" : "no")
    case .uri(let uri): line(lane, "uri \(uri)")
    case .batched(let sets, number: _): line(lane, "batched \(text(sets))")
    case .sections(let controller, let sections):
      line(controller, "shows \(text(sections, of: controller))")
    case .controllerDidChangeContent(let controller, let changes):
      line(controller, "didChangeContent \(changes.map(text).joined(separator: ", "))")
    case .awakeFromSnapshot(let context, let object, let cause):
      line(context, "awakeFromSnapshotEvents \(name(object)) \(cause)")
    case .didSaveObjectIDs(let context, let sets, number: _):
      line(context, "didSaveObjectIDs \(text(sets))")
    case .saveRequest(let coordinator, let sets): line(coordinator, "saveRequest \(text(sets))")
    case .willRemoveStore(let coordinator, let store):
      line(coordinator, "willRemoveStore \(stack.stores[store.index].name)")
    case .storesDidChange(let coordinator, let added, let removed):
      line(coordinator, "storesDidChange" + text(" added", added) + text(" removed", removed))
    case .hook(let hook, let context, let object):
      line(context, "\(text(hook)) \(name(object))")
    case .awakeFromInsert(let context, let object, let values):
      line(context, "awakeFromInsert \(name(object)) \(record(values, of: model[object.entity]))")
    case .hookSet(let context, let object, let property, let value):
      line(context, "set \(path(object, property)) \(text(value))")
    case .objectsDidChange(let context, let sets):
      line(context, "objectsDidChange \(text(sets))")
    case .contextWillSave(let context): line(context, "contextWillSave")
    case .didSave(let context, let sets, number: _): line(context, "didSave \(text(sets))")
    case .didMergeChanges(let context, let sets): line(context, "didMergeChanges \(text(sets))")
    case .receive(let context, let object, let received):
      line(context, "receive \(name(object)) \(record(received, of: model[object.entity]))")
    case .becamePermanent(let context, let temporary, let permanent):
      line(context, "becamePermanent \(programName(temporary) ?? name(permanent))")
    }
  }

  private func line(_ context: ContextID, _ text: String) -> String {
    "\(stack[context].name)  \(text)"
  }

  private func line(_ coordinator: CoordinatorID, _ text: String) -> String {
    "\(stack.coordinators[coordinator.index].name)  \(text)"
  }

  private func line(_ controller: ControllerID, _ text: String) -> String {
    let controller = stack.controllers[controller.index]
    return line(controller.context, "\(controller.name) \(text)")
  }

  /// `"a" [n m]`
  /// The one section of a list that nothing divides has no name.
  private func text(_ sections: [ResultsSection], of controller: ControllerID) -> String {
    let isDivided = stack.controllers[controller.index].sectionProperty != nil
    let shown = isDivided ? sections : sections.filter { !$0.objects.isEmpty }
    if shown.isEmpty { return "nothing" }
    return shown.map { section in
      (isDivided ? text(section.name) + " " : "") + list(section.objects)
    }.joined(separator: " ")
  }

  private func text(_ path: IndexPath) -> String { "\(path.section).\(path.item)" }

  /// `move n from 0.1 to 1.0`
  private func text(_ change: ResultsChange) -> String {
    switch change {
    case .deleteSection(let index): "delete section \(index)"
    case .insertSection(let index): "insert section \(index)"
    case .delete(let object, from: let path): "delete \(name(object)) from \(text(path))"
    case .insert(let object, to: let path): "insert \(name(object)) to \(text(path))"
    case .move(let object, from: let old, to: let new):
      "move \(name(object)) from \(text(old)) to \(text(new))"
    case .update(let object, at: let path): "update \(name(object)) at \(text(path))"
    }
  }

  /// ` added main people`; nothing for none.
  private func text(_ label: String, _ stores: [StoreID]) -> String {
    if stores.isEmpty { return "" }
    return ([label] + stores.map { stack.stores[$0.index].name }).joined(separator: " ")
  }

  /// The program's name for an object; one that the program did not make is `Note/p3` or `Note/t5`.
  package func name(_ object: ObjectID) -> String { programName(object) ?? object.text(model) }

  /// `n.title`
  package func path(_ object: ObjectID, _ property: PropertyID) -> String {
    "\(name(object)).\(model[object.entity][property].name)"
  }

  package func text(_ value: Value) -> String { value.text(model.symbols, name: name) }

  private func list(_ objects: [ObjectID]) -> String {
    "[\(objects.map(name).joined(separator: " "))]"
  }

  /// Contexts have notifications of the names that these hooks have.
  private func text(_ hook: Hook) -> String {
    switch hook {
    case .willSave: "objectWillSave"
    case .didSave: "objectDidSave"
    default: hook.rawValue
    }
  }

  /// `{title: nil, stamp: nil}`: values by slot, which is the order of the properties that have
  /// one.
  private func record(_ values: [Value], of entity: Entity) -> String {
    let parts = zip(entity.properties.filter { !$0.isToMany }, values)
      .map { "\($0.name): \(text($1))" }
    return "{\(parts.joined(separator: ", "))}"
  }

  private func record(_ values: [PropertyValue], of entity: EntityID) -> String {
    let parts = values.map { "\(model[entity][$0.property].name): \(text($0.value))" }
    return "{\(parts.joined(separator: ", "))}"
  }

  private func record(_ contents: [PropertyContent], of entity: EntityID) -> String {
    let parts = contents.map { content in
      let shown = content.collection.map(list) ?? text(content.value)
      return "\(model[entity][content.property].name): \(shown)"
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  private func record(_ received: [Received], of entity: Entity) -> String {
    let parts = received.map { "\(entity[$0.property].name): \($0.value.map(text) ?? "…")" }
    return "{\(parts.joined(separator: ", "))}"
  }

  /// `inserted n m updated k`
  private func text(_ sets: ChangeSets) -> String {
    if sets.isEmpty { return "nothing" }
    let named = [
      ("inserted", sets.inserted), ("updated", sets.updated), ("deleted", sets.deleted),
      ("refreshed", sets.refreshed), ("invalidatedAll", sets.invalidatedAll),
    ]
    return named.filter { !$0.1.isEmpty }
      .map { "\($0.0) \($0.1.map(name).joined(separator: " "))" }.joined(separator: " ")
  }
}

extension EventText {
  /// All that an object has: `{title: "x", tags: [t]}`; nothing for a fault.
  package func record(
    _ entity: EntityID, _ values: [Value], _ collections: [[ObjectID]]
  ) -> String {
    guard !values.isEmpty || !collections.isEmpty else { return "{}" }
    let parts = model[entity].properties.map { property in
      property.isToMany
        ? "\(property.name): \(list(collections[property.slot]))"
        : "\(property.name): \(text(values[property.slot]))"
    }
    return "{\(parts.joined(separator: ", "))}"
  }
}
