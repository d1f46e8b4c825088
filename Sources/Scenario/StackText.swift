import ObjectModel
import Prose
import Vocabulary

/// The coordinator of a stack that declares none: it has all stores.
private let implicitCoordinator = "store"

extension Scope {
  /// Reads the stack section to its end, its parts in the order of `Stage`, and throws all that is
  /// wrong with it. An error of a line that mentions what another line failed to declare is a
  /// consequence of that.
  mutating func readStack(_ lines: ArraySlice<Line>) throws(TextError) {
    declarations = StackDeclarations(lines)
    var lines = LineCursor(lines)
    var stage = Stage.time
    collectsErrors = true
    defer { collectsErrors = false }
    while let line = lines.next, line.indentation > 1 {
      do throws(TextError) {
        try readPart(&lines, &stage)
      } catch {
        note(error, in: line)
        let words = line.words
        let kind = words.first.flatMap(Stage.init(rawValue:))
        undeclared.formUnion(kind == nil ? words.prefix(1) : words.dropFirst().prefix(1))
        if kind == .store { undeclared.insert(implicitCoordinator) }
        lines.skip(under: line)
      }
    }
    try errors.throwIfAny(upTo: Scope.shownErrorLimit)
    addImplicitCoordinator()
  }

  /// The next part, which may not belong above `stage`.
  private mutating func readPart(
    _ lines: inout LineCursor, _ stage: inout Stage
  ) throws(TextError) {
    guard let line = try lines.take(indentedBy: 2, of: "a part of the stack") else { return }
    var reader = LineReader(line)
    let word = try reader.identifier(
      "'store', 'coordinator', 'controller', 'entry', 'observe' or a context's name")
    let next = Stage(rawValue: word) ?? .context
    if next < stage {
      throw reader.error(
        "\(next.rawValue) stands below the first \(stage.rawValue); the order is time, stores, "
          + "queues, flags, groups, ids, coordinators, contexts, controllers, entries, observers")
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
    }
  }

  private enum Stage: String, CaseIterable, Comparable {
    case time, store, queue, flag, group, ids, coordinator, context, controller, entry, observe

    static func < (a: Stage, b: Stage) -> Bool {
      (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
  }

  private mutating func addImplicitCoordinator() {
    guard stack.coordinators.isEmpty, !stack.stores.isEmpty else { return }
    stack.coordinators = [
      Stack.Coordinator(name: implicitCoordinator, stores: stack.stores.indices.map { StoreID($0) })
    ]
  }

  /// `store  people  inMemory entities Person Manager`
  private mutating func readStore(_ line: inout LineReader) throws(TextError) {
    let name = try line.identifier("the name of a store")
    try check(name, isNewAmong: stack.stores.map(\.name), "store", line)
    // IDs of objects have 7 bits for the store.
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

  /// `coordinator  psc  main people`
  private mutating func readCoordinator(_ line: inout LineReader) throws(TextError) {
    let name = try line.identifier("the name of a coordinator")
    try check(name, isNewAmong: stack.coordinators.map(\.name), "coordinator", line)
    var stores: [StoreID] = []
    repeat {
      let name = try line.identifier("the name of a store")
      guard let index = stack.stores.firstIndex(where: { $0.name == name }) else {
        throw declaredBelow(.store, name, "stores stand above the coordinators", line)
          ?? line.error(
            unknown("coordinator has store", name, "the stack has", stack.stores.map(\.name)))
      }
      if stores.contains(StoreID(index)) { throw line.error("store '\(name)' is given twice") }
      let owner = stack.coordinators.first { $0.stores.contains(StoreID(index)) }
      if stack.stores[index].isInMemory, let owner {
        throw line.error(
          "store '\(name)' is in memory and '\(owner.name)' has it; no two coordinators can share "
            + "it, leave out inMemory or use another store")
      }
      stores.append(StoreID(index))
    } while !line.isAtEnd
    stack.coordinators.append(Stack.Coordinator(name: name, stores: stores))
  }

  /// `edit  privateQueue parent view policy overwrite autoMerge`
  mutating func readContext(_ name: String, _ line: inout LineReader) throws(TextError) {
    if Verb.reservedContextNames.contains(name) {
      throw line.error("'\(name)' cannot be a context's name; it has another meaning in steps")
    }
    try check(name, isNewAmong: stack.contexts.map(\.name), "context", line)
    try check(name, isNewAmong: stack.queues.map(\.name), "queue", line)
    addImplicitCoordinator()
    let word = try line.word("the type of its queue")
    guard let type = Stack.ConcurrencyType(rawValue: word) else {
      // A declaration that is misspelt looks like a context.
      let declarations = Stage.allCases.map(\.rawValue).filter { $0 != Stage.context.rawValue }
      let types = Stack.ConcurrencyType.allCases.map(\.rawValue)
      if nearestWord(to: word, among: types) == nil,
        let meant = nearestWord(to: name, among: declarations)
      {
        throw line.error("no declaration '\(name)': did you mean '\(meant)'?")
      }
      throw line.error(
        unknown("no queue type", word, "there are", types))
    }
    let thread = type == .confinement ? try thread(&line) : nil
    var context = Stack.Context(
      name: name, concurrencyType: type, parent: try parent(of: name, &line))
    context.thread = thread
    try checkConfinement(of: context, line)
    if line.takes(keyword: "policy") { context.mergePolicy = try mergePolicy(&line) }
    while !line.isAtEnd {
      if line.nextWord == "policy" {
        throw line.error("the policy stands behind other words; write it in front")
      }
      guard let setting = ContextSetting(rawValue: line.nextWord) else {
        throw line.error(
          unknown(
            "no word", line.nextWord, "a context can have",
            ["policy"] + ContextSetting.allCases.map(\.rawValue)))
      }
      if context[keyPath: setting.keyPath] == setting.value {
        throw line.error("'\(setting.rawValue)' is given twice; once is enough")
      }
      _ = line.takes(keyword: setting.rawValue)
      context[keyPath: setting.keyPath] = setting.value
    }
    if context.concurrencyType == .confinement, context.automaticallyMergesChangesFromParent {
      throw line.error(
        "a context that is confined to a thread raises when it is to merge by itself")
    }
    stack.contexts.append(context)
  }

  /// After `policy`, of a context and in a step.
  func mergePolicy(_ line: inout LineReader) throws(TextError) -> MergePolicy {
    let word = try line.word("a merge policy")
    if let policy = MergePolicy(rawValue: word) { return policy }
    throw line.error(
      unknown("no merge policy", word, "the policies are", MergePolicy.allCases.map(\.rawValue)))
  }

  /// `coordinator psc`, `parent view`
  private func parent(
    of child: String, _ line: inout LineReader
  ) throws(TextError) -> Stack.Parent {
    if line.takes(keyword: "parent") {
      let name = try line.identifier("the parent context")
      if name == child { throw line.error("'\(child)' cannot be its own parent; name another") }
      if !stack.contexts.contains(where: { $0.name == name }),
        let error = declaredBelow(.context, name, "parents come first", line)
      {
        throw error
      }
      return .context(try context(name, "context has parent", line))
    }
    guard line.takes(keyword: "coordinator") else {
      throw line.missing("'coordinator' or 'parent'")
    }
    let name = try line.identifier("the name of a coordinator, or 'store',")
    if let index = stack.coordinators.firstIndex(where: { $0.name == name }) {
      return .coordinator(CoordinatorID(index))
    }
    if let error = declaredBelow(
      .coordinator, name, "coordinators stand above the contexts", line)
    {
      throw error
    }
    if stack.stores.isEmpty {
      throw line.error(
        declarations.declareAny(.store)
          ? "the store is declared below; stores stand above the contexts"
          : "the stack has no store; write 'store  main' above the contexts")
    }
    throw line.error(
      unknown("context has coordinator", name, "the stack has", stack.coordinators.map(\.name)))
  }

  /// `observe  didSave edit`
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
    let steps = try block(&lines, indentation: 4, lane: context)
    try checkNoStepIsLeft(in: lines, of: "an observer")
    try checkSteps(steps.isEmpty, of: "the observer of \(notification.rawValue)", line)
    if let line = lines.next, line.begins(with: ">") {
      throw line.error("transcript stands under an observer; it belongs under the steps")
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

/// A word after a context's parent and policy, for a property that differs from its default.
private enum ContextSetting: String, CaseIterable {
  case autoMerge
  case undoManager
  case zeroStaleness
  case keepsInaccessibleFaults
  case retainsRegisteredObjects
  case propagatesDeletesAtSave
  case discardable
  case hidden
  case readOnly

  var keyPath: WritableKeyPath<Stack.Context, Bool> {
    switch self {
    case .autoMerge: \.automaticallyMergesChangesFromParent
    case .undoManager: \.hasUndoManager
    case .zeroStaleness: \.hasZeroStaleness
    case .keepsInaccessibleFaults: \.shouldDeleteInaccessibleFaults
    case .retainsRegisteredObjects: \.retainsRegisteredObjects
    case .propagatesDeletesAtSave: \.propagatesDeletesAtEndOfEvent
    case .discardable: \.isDiscardable
    case .hidden: \.isHidden
    case .readOnly: \.isReadOnly
    }
  }

  /// What the property then is.
  var value: Bool {
    switch self {
    case .keepsInaccessibleFaults, .propagatesDeletesAtSave: false
    default: true
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
      }
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

  private func line(_ context: Stack.Context) -> String {
    var words = [context.concurrencyType.rawValue]
    if context.concurrencyType == .confinement { words.append(threadName(of: context)) }
    switch context.parent {
    case .coordinator(let id): words += ["coordinator", stack.coordinators[id.index].name]
    case .context(let id): words += ["parent", text(id)]
    }
    if context.mergePolicy != .error { words += ["policy", context.mergePolicy.rawValue] }
    words += ContextSetting.allCases.filter { context[keyPath: $0.keyPath] == $0.value }
      .map(\.rawValue)
    return "\(context.name)  \(words.joined(separator: " "))"
  }
}
