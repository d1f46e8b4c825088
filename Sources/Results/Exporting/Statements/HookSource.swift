import ObjectModel
import Scenario
import Vocabulary

/// Classes for entities whose hooks change objects or are counted.
extension TestWriter {
  /// The hooks that the scenario watches or counts, limited to events that a class can observe.
  private var watchedHooks: [WatchedEvent] {
    let observable: [WatchedEvent] = [
      .awakeFromInsert, .awakeFromFetch, .prepareForDeletion, .objectWillSave, .objectDidSave,
      .willTurnIntoFault, .didTurnIntoFault, .awakeFromSnapshotEvents,
    ]
    return observable.filter { event in
      scenario.watch.contains(event)
        || scenario.claims.contains { claim in
          if case .count(event, of: _, _) = claim.condition { true } else { false }
        }
    }
  }

  /// The class names of the entities that need a class.
  var classes: [EntityID: String] {
    var classes: [EntityID: String] = [:]
    for index in model.entities.indices {
      let entity = model.entities[index]
      let hasMethods = entity.hookActions.contains { $0.hook != .resolveConflicts }
      if hasMethods || !watchedHooks.isEmpty {
        classes[EntityID(index)] = typePrefix + capitalized(entity.name)
      }
    }
    return classes
  }

  /// The name of the type that records hook calls.
  private var recorder: String { typePrefix + "Calls" }

  /// Returns the classes, which follow the test case in the file.
  func classStatements() throws(Refusal) -> [Statement] {
    let classes = classes
    if classes.isEmpty, policyClass.isEmpty { return [] }
    var statements: [Statement] = []
    let usesNumbers = model.entities.contains { entity in
      entity.hookActions.contains { $0.effect == .setNext }
    }
    var members: [Statement] = []
    if !watchedHooks.isEmpty {
      members.append(.line("nonisolated(unsafe) static var names: [String] = []"))
    }
    if usesNumbers {
      members += [
        .line("nonisolated(unsafe) private static var lastNumber = 0"), .empty,
        .block(
          "static func nextNumber() -> Int {",
          [.line("lastNumber += 1"), .line("return lastNumber")]),
      ]
    }
    if !members.isEmpty {
      let reset: [Statement] =
        (watchedHooks.isEmpty ? [] : [.line("names = []")])
        + (usesNumbers ? [.line("lastNumber = 0")] : [])
      members += [.empty, .block("static func reset() {", reset)]
      statements += [
        .empty,
        .line("/// The state that the hooks of all objects share. Hooks run one at a time."),
        .block("enum \(recorder) {", members),
      ]
    }
    for (entity, name) in classes.sorted(by: { $0.key < $1.key }) {
      statements += [.empty, .block("class \(name): NSManagedObject {", try overrides(of: entity))]
    }
    return statements + policyClass
  }

  /// Statements that reset shared state when the test begins, so that runs in one process do not
  /// depend on each other.
  var resetStatements: [Statement] {
    let usesNumbers = model.entities.contains { entity in
      entity.hookActions.contains { $0.effect == .setNext }
    }
    return watchedHooks.isEmpty && !usesNumbers ? [] : [.line("\(recorder).reset()")]
  }

  /// A Boolean value that indicates whether ContextWillSave is recorded with the hook calls. A
  /// scenario that watches both ContextWillSave and the objects' `willSave` is about their order.
  var ordersWillSave: Bool {
    scenario.watch.contains(.contextWillSave) && watchedHooks.contains(.objectWillSave)
  }

  /// The statement by which the observer of ContextWillSave adds it to the recorded calls.
  var willSaveCall: Statement {
    .line("\(recorder).names.append(\"\(WatchedEvent.contextWillSave.rawValue)\")")
  }

  /// Returns an assertion about the hook calls of the run, in order.
  mutating func callStatements() -> [Statement] {
    if watchedHooks.isEmpty { return [] }
    let calls = rehearsal.performances.flatMap(\.events).compactMap { event -> String? in
      guard let kind = WatchedEvent(event) else { return nil }
      if kind == .contextWillSave, ordersWillSave { return "\"\(kind.rawValue)\"" }
      guard watchedHooks.contains(kind) else { return nil }
      return "\"\(method(of: kind).name)\""
    }
    if calls.isEmpty { return [.line("XCTAssertTrue(\(recorder).names.isEmpty)")] }
    return remarkOnCalls() + [
      .line("XCTAssertEqual(\(recorder).names, [\(calls.joined(separator: ", "))])")
    ]
  }

  private func method(of event: WatchedEvent) -> (name: String, declaration: String, call: String) {
    switch event {
    case .objectWillSave: ("willSave", "willSave()", "willSave()")
    case .objectDidSave: ("didSave", "didSave()", "didSave()")
    case .awakeFromSnapshotEvents:
      (
        "awake", "awake(fromSnapshotEvents flags: NSSnapshotEventType)",
        "awake(fromSnapshotEvents: flags)"
      )
    default: (event.rawValue, "\(event.rawValue)()", "\(event.rawValue)()")
    }
  }

  private func overrides(of entity: EntityID) throws(Refusal) -> [Statement] {
    let hooks: [(WatchedEvent, Hook?)] = [
      (.awakeFromInsert, .awakeFromInsert), (.awakeFromFetch, .awakeFromFetch),
      (.prepareForDeletion, .prepareForDeletion), (.objectWillSave, .willSave),
      (.objectDidSave, .didSave), (.willTurnIntoFault, .willTurnIntoFault),
      (.didTurnIntoFault, .didTurnIntoFault), (.awakeFromSnapshotEvents, nil),
    ]
    var members: [Statement] = []
    for (event, hook) in hooks {
      let actions = model[entity].hookActions.filter { $0.hook == hook }
      let isWatched = watchedHooks.contains(event)
      guard isWatched || !actions.isEmpty else { continue }
      let method = method(of: event)
      var body: [Statement] = [.line("super.\(method.call)")]
      if isWatched { body.append(.line("\(recorder).names.append(\"\(method.name)\")")) }
      for action in actions { body += statements(for: action, of: entity, on: "") }
      if !members.isEmpty { members.append(.empty) }
      members.append(.block("override func \(method.declaration) {", body))
    }
    return members
  }

  /// Returns statements that perform a hook's action on one property.
  func statements(
    for action: HookAction, of entity: EntityID, on receiver: String
  ) -> [Statement] {
    let property = model[entity][action.property]
    let key = "\"\(property.name)\""
    let statements =
      action.effect == .insertRelated
      ? insertion(into: property, key, on: receiver)
      : [assignment(by: action, to: property, key, on: receiver)]
    if !action.onlyIfNil {
      // Without a scope, two insertions would declare the same variable twice.
      return action.effect == .insertRelated ? [.block("do {", statements)] : statements
    }
    let test =
      property.isToMany
      ? "\(receiver)mutableSetValue(forKey: \(key)).count == 0"
      : "\(receiver)\(action.isPrimitive ? "primitiveValue" : "value")(forKey: \(key)) == nil"
    return [.block("if \(test) {", statements)]
  }

  private func assignment(
    by action: HookAction, to property: Property, _ key: String, on receiver: String
  ) -> Statement {
    let type = property.attribute?.type
    let value =
      if case .set(let constant) = action.effect { literals.text(constant, type ?? .string) } else {
        numbered(type ?? .integer64)
      }
    // A change made after a fetch must not mark the object as updated.
    let isUntracked = action.isPrimitive || action.hook == .awakeFromFetch
    let setter = isUntracked ? "setPrimitiveValue" : "setValue"
    return .line("\(receiver)\(setter)(\(value), forKey: \(key))")
  }

  private func insertion(
    into property: Property, _ key: String, on receiver: String
  ) -> [Statement] {
    let destination = property.relationship.map { model[$0.destination].name } ?? ""
    return [
      .line("let related = NSEntityDescription.insertNewObject("),
      .line("  forEntityName: \"\(destination)\", into: \(receiver)managedObjectContext!)"),
      .line(
        property.isToMany
          ? "\(receiver)mutableSetValue(forKey: \(key)).add(related)"
          : "\(receiver)setValue(related, forKey: \(key))"),
    ]
  }

  /// Returns an expression for the next number, as a value of `type`.
  private func numbered(_ type: AttributeType) -> String {
    let number = "\(recorder).nextNumber()"
    return switch type {
    case .string, .transformable: "\"s\\(\(number))\""
    case .boolean: "\(number) % 2 == 1"
    case .date: "Date(timeIntervalSinceReferenceDate: Double(\(number)))"
    case .double, .float: "Double(\(number))"
    case .decimal: "NSDecimalNumber(value: \(number))"
    default: number
    }
  }
}
