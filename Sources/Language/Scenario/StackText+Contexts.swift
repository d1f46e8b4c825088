import ObjectModel
import Prose
import Vocabulary

/// Contexts of a stack, such as `edit  privateQueue parent view policy overwrite autoMerge`.
extension Scope {
  func checkContextName(_ name: String, _ line: LineReader) throws(TextError) {
    if Stage(rawValue: name).map({ $0 != .context }) ?? false {
      throw line.error(
        "'\(name)' cannot be a context's name; it begins a declaration, choose another name: "
          + Verb.reservedContextNamesText)
    }
    if Verb.reservedContextNames.contains(name) {
      throw line.error(
        "'\(name)' cannot be a context's name; it has another meaning in steps: "
          + Verb.reservedContextNamesText)
    }
  }

  /// Reads the declaration of a context after its name, such as
  /// `privateQueue parent view policy overwrite autoMerge`.
  mutating func readContext(_ name: String, _ line: inout LineReader) throws(TextError) {
    try checkContextName(name, line)
    try check(name, isNewAmong: stack.contexts.map(\.name), "context", line)
    try check(name, isNewAmong: stack.queues.map(\.name), "queue", line)
    addImplicitCoordinator()
    let word = try line.word("the type of its queue")
    guard let type = Stack.ConcurrencyType(rawValue: word) else {
      // A misspelt declaration has the form of a context.
      if StackDesignHeader.Key(rawValue: name) != nil {
        throw line.error("'\(name)' is part of the header; write it above the stack, not indented")
      }
      let types = Stack.ConcurrencyType.allCases.map(\.rawValue)
      if nearestWord(to: word, among: types) == nil,
        let meant = Stage.nearest(to: name)
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
        throw line.error("the policy must precede the context's other settings")
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
        "a context that is confined to a thread cannot have 'autoMerge'; it would raise an exception"
      )
    }
    stack.contexts.append(context)
  }

  /// Reads the merge policy after `policy`, in a declaration or a step.
  func mergePolicy(_ line: inout LineReader) throws(TextError) -> MergePolicy {
    let word = try line.word("a merge policy")
    if let policy = MergePolicy(rawValue: word) { return policy }
    throw line.error(
      unknown("no merge policy", word, "the policies are", MergePolicy.allCases.map(\.rawValue)))
  }

  /// Reads the parent of a context, such as `coordinator psc` or `parent view`.
  private func parent(
    of child: String, _ line: inout LineReader
  ) throws(TextError) -> Stack.Parent {
    if line.takes(keyword: "parent") {
      let name = try line.identifier("the parent context")
      if name == child { throw line.error("'\(child)' cannot be its own parent; name another") }
      if !stack.contexts.contains(where: { $0.name == name }),
        let error = declaredBelow(.context, name, "declare parents first", line)
      {
        throw error
      }
      return .context(try context(name, "context has parent", line))
    }
    guard line.takes(keyword: "coordinator") else {
      throw line.missing("'coordinator' or 'parent'")
    }
    let name = try line.identifier("the name of a coordinator, or 'store'")
    if let index = stack.coordinators.firstIndex(where: { $0.name == name }) {
      return .coordinator(CoordinatorID(index))
    }
    if let error = declaredBelow(
      .coordinator, name, "declare coordinators above the contexts", line)
    {
      throw error
    }
    if stack.stores.isEmpty {
      throw line.undeclared(
        name,
        declarations.declareAny(.store)
          ? "the store is declared below; declare stores above the contexts"
          : "the stack has no store; write 'store  main' above the contexts")
    }
    throw line.undeclared(
      name,
      unknown("context has coordinator", name, "the stack has", stack.coordinators.map(\.name)))
  }
}

/// A word after a context's parent and policy. It sets a property to its nondefault value.
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

  /// The nondefault value of the property.
  var value: Bool {
    switch self {
    case .keepsInaccessibleFaults, .propagatesDeletesAtSave: false
    default: true
    }
  }
}

extension Spelling {
  func line(_ context: Stack.Context) -> String {
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
