package import ObjectModel
package import Vocabulary

/// Events as transcript lines: `edit  awakeFromInsert n {title: nil, stamp: nil}`.
package struct EventText {
  let model: ObjectModel
  private let stack: Stack
  private let programName: (ObjectID) -> String?

  /// `name` is what the program calls an object, under its temporary and its permanent ID alike.
  package init(model: ObjectModel, stack: Stack, name: @escaping (ObjectID) -> String?) {
    self.model = model
    self.stack = stack
    programName = name
  }

  /// The kind of `event`; nil for answers, which a transcript always shows.
  package static func watched(_ event: Event) -> WatchedEvent? { WatchedEvent(event) }

  /// `lane` is the context of the step that `event` answers; other events name their own.
  package func line(for event: Event, lane: ContextID) -> String {
    switch event {
    case .value(let value): line(lane, "read \(text(value))")
    case .collection(let objects): line(lane, "read \(list(objects))")
    case .objects(let objects): line(lane, "found \(list(objects))")
    case .count(let count): line(lane, "counted \(count)")
    case .object(let object): line(lane, "object \(name(object))")
    case .nothing: line(lane, "nothing")
    case .failed(let failure): line(lane, "failed \(text(failure))")
    case .saved: line(lane, "saved")
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

  /// `{title: nil, stamp: nil}`: values by slot, which is the order of the properties that have one.
  private func record(_ values: [Value], of entity: Entity) -> String {
    let parts = zip(entity.properties.filter { !$0.isToMany }, values)
      .map { "\($0.name): \(text($1))" }
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
