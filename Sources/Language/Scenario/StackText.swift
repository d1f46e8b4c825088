import ObjectModel
import Prose
import Vocabulary

/// The name of the coordinator in a stack that declares none. This coordinator has all stores.
let implicitCoordinator = "store"

extension Scope {
  /// Reads the stack section to its end, with its parts in the order of `Stage`, and collects its
  /// errors in `errors`.
  ///
  /// An error about a name that an erroneous line should have declared is marked as a consequence.
  mutating func readStack(_ lines: ArraySlice<Line>) {
    declarations = StackDeclarations(lines)
    var lines = LineCursor(lines)
    var stage = Stage.time
    isInStack = true
    defer { isInStack = false }
    while let next = lines.next, next.indentation > 1 {
      let line = lines.take(next, indentedBy: 2, of: "a part of the stack", &errors)
      do throws(TextError) {
        try readPart(line, &lines, &stage)
      } catch {
        note(error, in: line)
        noteUndeclared(line)
        // A part that is indented too far still ends the erroneous part.
        lines.skip(under: line, until: \.isPart)
      }
    }
    addImplicitCoordinator()
  }

  /// Notes the names that an erroneous line would have declared. The contexts of a pool are
  /// numbered.
  private mutating func noteUndeclared(_ line: Line) {
    let words = line.words
    // A context may have been named with a keyword.
    let word = line.namesContext ? nil : words.first
    let kind = word.flatMap { Stage(rawValue: Stage.nearest(to: $0) ?? $0) }
    let names = kind == nil ? words.prefix(1) : words.dropFirst().prefix(1)
    undeclared.formUnion(names)
    if let pool = names.first {
      undeclared.formUnion((1...ContextPool.greatestCount).map { "\(pool)\($0)" })
    }
    if kind == .store { undeclared.insert(implicitCoordinator) }
  }

  /// Reads the next part, which must not belong above `stage`.
  private mutating func readPart(
    _ line: Line, _ lines: inout LineCursor, _ stage: inout Stage
  ) throws(TextError) {
    var reader = LineReader(line)
    let word = try reader.identifier(
      "'store', 'coordinator', 'controller', 'entry', 'observe', 'promise' or a context's name")
    let next = Stage(rawValue: word) ?? .context
    if next != .context, line.namesContext { try checkContextName(word, reader) }
    if next < stage {
      throw reader.error(
        "\(next.rawValue) is below the first \(stage.rawValue); the order is time, stores, "
          + "queues, flags, groups, ids, coordinators, contexts, controllers, entries, observers, promises"
      )
    }
    stage = next
    switch next {
    case .time: try readTime(&reader)
    case .store: try readStore(&reader)
    case .queue: try readQueue(&reader)
    case .flag: try readFlag(&reader)
    case .group: try readGroup(&reader)
    case .ids: try readIDSet(&reader)
    case .coordinator: try readCoordinator(&reader)
    case .context: try readContexts(word, &reader)
    case .observe: try readObserver(&reader, &lines)
    case .controller: try readController(&reader)
    case .entry: try readEntryPoint(&reader, &lines)
    case .promise: try readPromise(&reader)
    }
  }

  enum Stage: String, CaseIterable, Comparable {
    case time, store, queue, flag, group, ids, coordinator, context, controller, entry, observe
    case promise

    /// Returns the keyword of a declaration that is similar to `word`. Contexts have no keyword.
    static func nearest(to word: String) -> String? {
      nearestWord(to: word, among: allCases.filter { $0 != .context }.map(\.rawValue))
    }

    static func < (a: Stage, b: Stage) -> Bool {
      (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
  }

  mutating func addImplicitCoordinator() {
    guard stack.coordinators.isEmpty, !stack.stores.isEmpty else { return }
    stack.coordinators = [
      Stack.Coordinator(name: implicitCoordinator, stores: stack.stores.indices.map { StoreID($0) })
    ]
  }

  /// Reads the declaration of a store, such as `store  people  inMemory entities Person Manager`,
  /// after its first word.
  private mutating func readStore(_ line: inout LineReader) throws(TextError) {
    let name = try line.identifier("the name of a store")
    try check(name, isNewAmong: stack.stores.map(\.name), "store", line)
    // Object IDs have 7 bits for the store.
    if stack.stores.count == 128 { throw line.error("stack has more than 128 stores") }
    var store = Stack.Store(name: name)
    store.isInMemory = line.takes(keyword: "inMemory")
    if line.takes(keyword: "entities") {
      var entities: [EntityID] = []
      while !line.isAtEnd {
        let name = try line.identifier("the name of an entity")
        let entity = try entity(name, "store takes", line)
        if entities.contains(entity) { throw line.error("entity '\(name)' is given twice") }
        entities.append(entity)
      }
      store.entities = entities
    }
    try line.expectEnd()
    stack.stores.append(store)
  }

  /// Reads the declaration of a coordinator, such as `coordinator  psc  main people`, after its
  /// first word.
  private mutating func readCoordinator(_ line: inout LineReader) throws(TextError) {
    let name = try line.identifier("the name of a coordinator")
    try check(name, isNewAmong: stack.coordinators.map(\.name), "coordinator", line)
    var stores: [StoreID] = []
    repeat {
      let name = try line.identifier("the name of a store")
      guard let index = stack.stores.firstIndex(where: { $0.name == name }) else {
        throw declaredBelow(.store, name, "declare stores above the coordinators", line)
          ?? line.undeclared(
            name,
            unknown("coordinator has store", name, "the stack has", stack.stores.map(\.name)))
      }
      if stores.contains(StoreID(index)) { throw line.error("store '\(name)' is given twice") }
      let owner = stack.coordinators.first { $0.stores.contains(StoreID(index)) }
      if stack.stores[index].isInMemory, let owner {
        throw line.error(
          "store '\(name)' is in memory and belongs to '\(owner.name)'; two coordinators cannot "
            + "share it, so leave out inMemory or use another store")
      }
      stores.append(StoreID(index))
    } while !line.isAtEnd
    stack.coordinators.append(Stack.Coordinator(name: name, stores: stores))
  }

  /// Reads the declaration of an observer, such as `observe  didSave edit`, after its first word.
  private mutating func readObserver(_ line: inout LineReader, _ lines: inout LineCursor)
    throws(TextError)
  {
    let word = try line.word("a notification")
    guard let notification = Stack.NotificationName(rawValue: word) else {
      throw line.error(
        unknown(
          "no notification", word, "contexts post",
          Stack.NotificationName.allCases.map(\.rawValue)))
    }
    let name = try line.identifier("the context that posts it")
    try forEachMember(ofPool: name, &line, &lines) {
      (scope: inout Scope, line: inout LineReader, lines: inout LineCursor) throws(TextError) in
      try scope.readObserver(of: notification, by: name, &line, &lines)
    }
  }

  private mutating func readObserver(
    of notification: Stack.NotificationName, by name: String, _ line: inout LineReader,
    _ lines: inout LineCursor
  ) throws(TextError) {
    let context = try context(name, "observer names context", line)
    try line.expectEnd()
    isInObserver = notification == .didSave || notification == .didSaveObjectIDs
    defer { isInObserver = false }
    let steps = try steps(&lines, of: "an observer", lane: context)
    try checkSteps(steps.isEmpty, of: "the observer of \(notification.rawValue)", line)
    if let line = lines.next, line.begins(with: ">") {
      throw line.error("transcript below an observer; write transcripts below steps")
    }
    stack.observers.append(
      Stack.Observer(notification: notification, context: context, steps: steps))
  }

  func check(
    _ name: String, isNewAmong names: [String], _ kind: String, _ line: LineReader
  ) throws(TextError) {
    if names.contains(name) {
      throw line.error(
        "the stack has \(kind == "entry point" ? "an" : "a") \(kind) '\(name)' already; choose another name"
      )
    }
  }
}

extension Spelling {
  func stackLines() -> [String] {
    timeLines() + stack.stores.map(line) + stack.queues.map { "queue  \($0.name)" }
      + stack.flags.map { "flag  \($0.name)" } + stack.groups.map { "group  \($0.name)" }
      + stack.idSets.map { "ids  \($0.name)" } + coordinatorLines() + stack.contexts.map(line)
      + stack.controllers.map(line)
      + stack.entryPoints.flatMap(lines)
      + stack.observers.flatMap { observer in
        ["observe  \(observer.notification.rawValue) \(text(observer.context))"]
          + observer.steps.flatMap { lines($0, blockLane: observer.context) }.map { "  " + $0 }
      } + promiseLines()
  }

  private func line(_ store: Stack.Store) -> String {
    var words = store.isInMemory ? ["inMemory"] : []
    if let entities = store.entities { words += ["entities"] + entities.map { model[$0].name } }
    let details = words.isEmpty ? "" : "  " + words.joined(separator: " ")
    return "store  \(store.name)\(details)"
  }

  private func coordinatorLines() -> [String] {
    let all = stack.stores.indices.map { StoreID($0) }
    if stack.coordinators == [Stack.Coordinator(name: implicitCoordinator, stores: all)] {
      return []
    }
    return stack.coordinators.map { coordinator in
      let stores = coordinator.stores.map { stack.stores[$0.index].name }.joined(separator: " ")
      return "coordinator  \(coordinator.name)  \(stores)"
    }
  }
}
