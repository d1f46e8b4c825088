package import ObjectModel
package import Vocabulary

/// Prints events as transcript lines, such as `edit  awakeFromInsert n {title: nil, stamp: nil}`.
package struct EventText {
  let model: ObjectModel
  let stack: Stack
  private let programName: (ObjectID) -> String?
  private let dates: DateStyle

  /// Creates a printer of events.
  ///
  /// - Parameter name: Returns the program's name for an object, given its temporary or permanent
  ///   ID.
  package init(
    model: ObjectModel, stack: Stack, _ dates: DateStyle = .seconds,
    name: @escaping (ObjectID) -> String?
  ) {
    self.model = model
    self.stack = stack
    self.dates = dates
    programName = name
  }

  /// Returns the kind of `event`, or `nil` for a result, which a transcript always shows.
  package static func watched(_ event: Event) -> WatchedEvent? { WatchedEvent(event) }

  /// A line of a transcript, split into its two parts.
  package struct Statement {
    /// The name of the context or of the coordinator.
    package let subject: String
    package let text: String

    package var line: String { "\(subject)  \(text)" }
  }

  /// The first words of results in a transcript, after the lane. Results of a fetched-results
  /// controller begin with its name instead.
  static let answerWords = [
    "read", "found", "counted", "object", "nothing", "failed", "values", "yes", "no", "uri",
    "batched", "valid",
  ]

  /// Returns the transcript line for an event of `action`, or `nil` for a successful save, which is
  /// expected.
  package func line(for event: Event, of action: Action) -> String? {
    statement(for: event, of: action)?.line
  }

  /// Returns the transcript statement about an event of `action`, or `nil` for a successful save,
  /// which is expected.
  package func statement(for event: Event, of action: Action) -> Statement? {
    guard event == .saved else { return statement(for: event, lane: action.context) }
    if case .step(let step, _) = action, case .validate = step.step {
      return statement(step.context, "valid")
    }
    return nil
  }

  /// Returns the transcript line for an event.
  ///
  /// - Parameter lane: The context of the step whose result `event` is. Other events name their own
  ///   context.
  package func line(for event: Event, lane: ContextID) -> String {
    statement(for: event, lane: lane).line
  }

  private func statement(for event: Event, lane: ContextID) -> Statement {
    switch event {
    case .value(let value): statement(lane, "read \(text(value))")
    case .collection(let objects): statement(lane, "read \(list(objects))")
    case .objects(let objects): statement(lane, "found \(list(objects))")
    case .count(let count): statement(lane, "counted \(count)")
    case .object(let object): statement(lane, "object \(name(object))")
    case .nothing: statement(lane, "nothing")
    case .failed(let failure): statement(lane, "failed \(text(failure, in: lane))")
    case .saved: statement(lane, "saved")
    case .objectIDs(let objects): statement(lane, "found IDs \(list(objects))")
    case .dictionaries(let entity, let rows):
      statement(lane, "found [\(rows.map { record($0, of: entity) }.joined(separator: " "))]")
    case .summaries(let entity, let properties, let aggregates, let rows):
      statement(lane, "found [\(records(rows, properties, aggregates, of: entity))]")
    case .values(let object, let contents):
      statement(lane, "values \(name(object)) \(record(contents, of: object.entity))")
    case .flag(let flag): statement(lane, flag ? "yes" : "no")
    case .uri(let uri): statement(lane, "uri \(uri)")
    case .batched(let sets, number: _): statement(lane, "batched \(text(sets))")
    case .sections(let controller, let sections):
      statement(controller, "shows \(text(sections, of: controller))")
    case .controllerDidChangeContent(let controller, let changes):
      statement(controller, "didChangeContent \(changes.map(text).joined(separator: ", "))")
    case .awakeFromSnapshot(let context, let object, let cause):
      statement(context, "awakeFromSnapshotEvents \(name(object)) \(cause)")
    case .didSaveObjectIDs(let context, let sets, number: _):
      statement(context, "didSaveObjectIDs \(text(sets))")
    case .saveRequest(let coordinator, let sets):
      statement(coordinator, "saveRequest \(text(sets))")
    case .willRemoveStore(let coordinator, let store):
      statement(coordinator, "willRemoveStore \(stack.stores[store.index].name)")
    case .storesDidChange(let coordinator, let added, let removed):
      statement(coordinator, "storesDidChange" + text(" added", added) + text(" removed", removed))
    case .hook(let hook, let context, let object):
      statement(context, "\(text(hook)) \(name(object))")
    case .awakeFromInsert(let context, let object, let values):
      statement(
        context, "awakeFromInsert \(name(object)) \(record(values, of: model[object.entity]))")
    case .hookSet(let context, let object, let property, let value):
      statement(context, "set \(path(object, property)) \(text(value, of: object, property))")
    case .objectsDidChange(let context, let sets):
      statement(context, "objectsDidChange \(text(sets))")
    case .contextWillSave(let context): statement(context, "contextWillSave")
    case .didSave(let context, let sets, number: _): statement(context, "didSave \(text(sets))")
    case .didMergeChanges(let context, let sets):
      statement(context, "didMergeChanges \(text(sets))")
    case .receive(let context, let object, let received):
      statement(context, "receive \(name(object)) \(record(received, of: model[object.entity]))")
    case .becamePermanent(let context, let temporary, let permanent):
      statement(context, "becamePermanent \(programName(temporary) ?? name(permanent))")
    }
  }

  private func statement(_ context: ContextID, _ text: String) -> Statement {
    Statement(subject: stack[context].name, text: text)
  }

  private func statement(_ coordinator: CoordinatorID, _ text: String) -> Statement {
    Statement(subject: stack.coordinators[coordinator.index].name, text: text)
  }

  private func statement(_ controller: ControllerID, _ text: String) -> Statement {
    let controller = stack.controllers[controller.index]
    return statement(controller.context, "\(controller.name) \(text)")
  }

  /// Returns the sections of a controller, as in `"a" [n m]`. The only section of an undivided list
  /// has no name.
  private func text(_ sections: [ResultsSection], of controller: ControllerID) -> String {
    let isDivided = stack.controllers[controller.index].sectionProperty != nil
    let shown = isDivided ? sections : sections.filter { !$0.objects.isEmpty }
    if shown.isEmpty { return "nothing" }
    return shown.map { section in
      (isDivided ? text(section.name) + " " : "") + list(section.objects)
    }.joined(separator: " ")
  }

  private func text(_ path: IndexPath) -> String { "\(path.section).\(path.item)" }

  /// Returns the text of a change, such as `move n from 0.1 to 1.0`.
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

  /// Returns stores with their label, such as ` added main people`, or an empty string for no
  /// stores.
  private func text(_ label: String, _ stores: [StoreID]) -> String {
    if stores.isEmpty { return "" }
    return ([label] + stores.map { stack.stores[$0.index].name }).joined(separator: " ")
  }

  /// Returns the program's name for an object. An object without such a name is `Note/p3` or
  /// `Note/t5`.
  package func name(_ object: ObjectID) -> String { programName(object) ?? object.text(model) }

  /// Returns the name of an object with a property, such as `n.title`.
  package func path(_ object: ObjectID, _ property: PropertyID) -> String {
    "\(name(object)).\(model[object.entity][property].name)"
  }

  package func text(_ value: Value) -> String { value.text(model.symbols, dates, name: name) }

  package func text(_ value: Value, of object: ObjectID, _ property: PropertyID) -> String {
    text(value, of: model[object.entity][property])
  }

  package func text(_ value: Value, of property: Property) -> String {
    value.text(model.symbols, of: property.attribute?.type, dates, name: name)
  }

  private func list(_ objects: [ObjectID]) -> String {
    "[\(objects.map(name).joined(separator: " "))]"
  }

  /// Returns the word for a hook, which avoids the names of context notifications.
  private func text(_ hook: Hook) -> String {
    switch hook {
    case .willSave: "objectWillSave"
    case .didSave: "objectDidSave"
    default: hook.rawValue
    }
  }

  /// Returns the values of an object, such as `{title: nil, stamp: nil}`.
  ///
  /// - Parameter values: The values by slot, in the order of the properties that have a slot.
  private func record(_ values: [Value], of entity: Entity) -> String {
    let parts = zip(entity.properties.filter { !$0.isToMany }, values)
      .map { "\($0.name): \(text($1, of: $0))" }
    return "{\(parts.joined(separator: ", "))}"
  }

  private func record(_ values: [PropertyValue], of entity: EntityID) -> String {
    let parts = values.map {
      let property = model[entity][$0.property]
      return "\(property.name): \(text($0.value, of: property))"
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  /// Returns dictionaries with aggregates, as in `{title: "x", count: 2} {title: "y", count: 1}`.
  private func records(
    _ rows: [[Value]], _ properties: [PropertyID], _ aggregates: [Aggregate], of entity: EntityID
  ) -> String {
    let names =
      properties.map { model[entity][$0].name } + aggregates.map { $0.text(of: model[entity]) }
    return rows.map { values in
      let parts = zip(names, values).map { "\($0): \(text($1))" }
      return "{\(parts.joined(separator: ", "))}"
    }.joined(separator: " ")
  }

  private func record(_ contents: [PropertyContent], of entity: EntityID) -> String {
    let parts = contents.map { content in
      let property = model[entity][content.property]
      let shown = content.collection.map(list) ?? text(content.value, of: property)
      return "\(property.name): \(shown)"
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  private func record(_ received: [Received], of entity: Entity) -> String {
    let parts = received.map { item in
      let property = entity[item.property]
      return "\(property.name): \(item.value.map { text($0, of: property) } ?? "…")"
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  /// Returns the contents of a notification, such as `inserted n m updated k`.
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
  /// Returns all values of an object, as in `{title: "x", tags: [t]}`, or `{}` for a fault.
  package func record(
    _ entity: EntityID, _ values: [Value], _ collections: [[ObjectID]]
  ) -> String {
    guard !values.isEmpty || !collections.isEmpty else { return "{}" }
    let parts = model[entity].properties.map { property in
      property.isToMany
        ? "\(property.name): \(list(collections[property.slot]))"
        : "\(property.name): \(text(values[property.slot], of: property))"
    }
    return "{\(parts.joined(separator: ", "))}"
  }
}
