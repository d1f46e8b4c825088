import ObjectModel
import Scenario
import Vocabulary

/// The stack, with its coordinators, stores, contexts, queues, controllers and observers.
extension TestWriter {
  mutating func stackParts() throws(Refusal) -> StackParts {
    if stack.contexts.contains(where: { $0.concurrencyType == .confinement }) {
      throw Refusal(
        "confinement", "Swift no longer has contexts that are confined to a thread")
    }
    var statements: [Statement] = [.line("let model = makeModel()")]
    for id in stack.stores.indices.map({ StoreID($0) }) where !stack.stores[id.index].isInMemory {
      helpers.insert(.temporaryURL)
      if keepsPlace(of: id) { continue }
      statements.append(
        .line("let \(names[id])URL = temporaryURL(\(SwiftLiteral.text(names[id])))"))
    }
    for index in stack.coordinators.indices {
      statements += coordinatorStatements(CoordinatorID(index))
    }
    let queues = stack.queues.indices.map { index in
      let label = SwiftLiteral.text(stack.queues[index].name)
      return Statement.line("\(names[AppQueueID(index)]) = DispatchQueue(label: \(label))")
    }
    let groups = stack.groups.indices.map { index in
      Statement.line("\(names[GroupID(index)]) = DispatchGroup()")
    }
    // A killed app loses the values of its flags.
    let flags =
      isKilled ? stack.flags.indices.map { Statement.line("\(names[FlagID($0)]) = false") } : []
    let sets = stack.idSets.indices.map { Statement.line("\(names[IDSetID($0)]) = []") }
    return StackParts(
      coordinators: statements,
      contexts: stack.contextIDs.map { ($0, contextStatements($0)) },
      queues: queues + groups + flags + sets)
  }

  private func coordinatorStatements(_ id: CoordinatorID) -> [Statement] {
    let name = names[id]
    var statements: [Statement] = [
      .line("\(name) = NSPersistentStoreCoordinator(managedObjectModel: model)")
    ]
    for store in stack.coordinators[id.index].stores {
      let call = addition(of: store, to: id)
      statements.append(
        .line(usesVariable(of: store) ? "\(variable(of: store, in: id)) = \(call)" : call))
    }
    return statements
  }

  /// Returns the call that adds a store to a coordinator.
  func addition(of store: StoreID, to coordinator: CoordinatorID) -> String {
    let declared = stack.stores[store.index]
    let configuration =
      declared.entities == nil ? "nil" : SwiftLiteral.text(declared.name)
    let type = declared.isInMemory ? "NSInMemoryStoreType" : "NSSQLiteStoreType"
    let url = declared.isInMemory ? "nil" : "\(names[store])URL"
    let options =
      mergesHistory ? "[NSPersistentHistoryTrackingKey: true as NSNumber]" : "nil"
    return "try \(names[coordinator]).addPersistentStore("
      + "ofType: \(type), configurationName: \(configuration), at: \(url), options: \(options))"
  }

  /// Returns whether the test must keep the store's URL in a property. The store is opened again or
  /// read after a kill, or by a step that may be in another method.
  func keepsPlace(of store: StoreID) -> Bool {
    guard !stack.stores[store.index].isInMemory else { return false }
    return isKilled
      || scenario.allSteps.contains { step in
        step.contains {
          switch $0.step {
          case .addStore(store), .destroyStore(store, isRecreated: _), .metadata(store): true
          default: false
          }
        }
      }
  }

  /// Returns whether a step refers to the store, so that the test must keep it in a variable.
  func usesVariable(of store: StoreID) -> Bool {
    scenario.allSteps.contains { step in
      step.contains {
        switch $0.step {
        case .assign(_, store), .removeStore(store), .addStore(store),
          .destroyStore(store, isRecreated: _), .setMetadata(store, _):
          true
        case .fetch(let request, as: _), .count(let request):
          request.affectedStores?.contains(store) == true
        default: false
        }
      }
    }
  }

  func variable(of store: StoreID, in coordinator: CoordinatorID) -> String {
    stack.coordinators.count == 1
      ? names[store] : "\(names[store])Of\(capitalized(names[coordinator]))"
  }

  func contextStatements(_ id: ContextID) -> [Statement] {
    let context = stack[id]
    let name = names[id]
    let type = context.isOnMainQueue ? "main" : "private"
    var lines = [
      "\(name) = NSManagedObjectContext(concurrencyType: .\(type)QueueConcurrencyType)",
      "\(name).name = \(SwiftLiteral.text(context.name))",
    ]
    switch context.parent {
    case .coordinator(let coordinator):
      lines.append("\(name).persistentStoreCoordinator = \(names[coordinator])")
    case .context(let parent): lines.append("\(name).parent = \(names[parent])")
    }
    if context.mergePolicy != .error {
      lines.append("\(name).mergePolicy = \(policy(context.mergePolicy))")
    }
    if context.hasUndoManager { lines.append("\(name).undoManager = UndoManager()") }
    if context.hasZeroStaleness { lines.append("\(name).stalenessInterval = 0") }
    if !context.shouldDeleteInaccessibleFaults {
      lines.append("\(name).shouldDeleteInaccessibleFaults = false")
    }
    if context.retainsRegisteredObjects { lines.append("\(name).retainsRegisteredObjects = true") }
    if !context.propagatesDeletesAtEndOfEvent {
      lines.append("\(name).propagatesDeletesAtEndOfEvent = false")
    }
    if context.automaticallyMergesChangesFromParent {
      lines.append("\(name).automaticallyMergesChangesFromParent = true")
    }
    return (lines + historyLines(id)).map { .line($0) }
  }

  /// Returns the statements that the observers in the stack perform, in order.
  mutating func observerStatements() throws(Refusal) -> [(context: ContextID, statement: Statement)]
  {
    var statements: [(ContextID, Statement)] = []
    isInReaction = true
    defer { isInReaction = false }
    for (index, observer) in stack.observers.enumerated() {
      path = StepPath(author: .observer(index))
      let body = try self.statements(for: observer.steps, place: Place(onMain: false))
      let statement = observation(
        of: notification(observer.notification), by: observer.context, body.caught)
      statements.append((observer.context, statement))
    }
    return statements
  }

  /// Returns an observer of a notification that one context posts.
  mutating func observation(
    of name: String, by context: ContextID, _ body: [Statement]
  ) -> Statement {
    helpers.insert(.observe)
    let usesNotification = Statement.lines(body).contains { $0.contains("notification") }
    let parameter = usesNotification ? "notification" : "_"
    return .block(
      "observe(NSManagedObjectContext.\(name), of: \(names[context])) "
        + "{\(captures(of: body)) \(parameter) in", body)
  }

  private func notification(_ name: Stack.NotificationName) -> String {
    switch name {
    case .objectsDidChange: "didChangeObjectsNotification"
    case .contextWillSave: "willSaveObjectsNotification"
    case .didSave: "didSaveObjectsNotification"
    case .didSaveObjectIDs: "didSaveObjectIDsNotification"
    }
  }

  /// Returns the entry points, each as a method.
  mutating func entryPointMethods() throws(Refusal) -> [Statement] {
    isInReaction = true
    defer { isInReaction = false }
    var methods: [Statement] = []
    for (index, entry) in stack.entryPoints.enumerated() {
      path = StepPath(author: .entryPoint(EntryPointID(index)))
      let body = try statements(for: entry.steps, place: Place(onMain: false))
      methods.append(
        .block("private func \(names[EntryPointID(index)])() throws {", body))
    }
    return methods
  }
}

extension Scenario {
  /// The steps of the program, of observers and of entry points.
  var allSteps: [AddressedStep] {
    items.map(\.step) + stack.observers.flatMap(\.steps) + stack.entryPoints.flatMap(\.steps)
  }
}
