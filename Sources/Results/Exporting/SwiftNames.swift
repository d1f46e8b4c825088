import ObjectModel
import Scenario
import Vocabulary

/// The names of contexts, objects and other parts of a scenario in the exported test. The names
/// match the scenario unless Swift or XCTest uses the word.
struct SwiftNames {
  private(set) var contexts: [String] = []
  private(set) var stores: [String] = []
  private(set) var coordinators: [String] = []
  private(set) var queues: [String] = []
  private(set) var groups: [String] = []
  private(set) var flags: [String] = []
  private(set) var idSets: [String] = []
  private(set) var controllers: [String] = []
  private(set) var entryPoints: [String] = []
  private var instances: [HeldInstance: String] = [:]
  private var used: Set<String>

  /// Words that cannot be names of properties of a test case.
  private static let reserved: Set<String> = [
    "as", "break", "case", "catch", "class", "continue", "default", "defer", "do", "else", "enum",
    "extension", "fallthrough", "false", "for", "func", "guard", "if", "import", "in", "init",
    "internal", "is", "let", "nil", "operator", "private", "protocol", "public", "repeat", "return",
    "self", "static", "struct", "super", "switch", "throw", "throws", "true", "try", "typealias",
    "var", "where", "while", "await", "async", "any", "some",
    "name", "run", "record", "description", "hash", "setUp", "tearDown", "wait", "expectation",
    "invocation", "testRun", "error", "notification", "request", "found", "reader", "row", "rows",
    "perform", "copy", "isEqual", "addTeardownBlock", "measure", "invokeTest", "model", "result",
    "object", "store", "value", "counts", "done", "observe", "observer", "entities", "held",
    "makeModel", "url", "ids", "tokens", "mergeHistory", "setMetadataNumber", "metadataNumber",
  ]

  /// Claims a name for each part of the scenario.
  ///
  /// - Parameter held: The instances that the program holds at any time.
  init(_ scenario: Scenario, held: [HeldInstance]) {
    used = SwiftNames.reserved
    let stack = scenario.stack
    for context in stack.contexts { contexts.append(claim(context.name, or: "Context")) }
    for name in scenario.names.indices {
      let places = held.filter { $0.name.index == name }
      for place in places {
        let word = scenario.names[name]
        instances[place] =
          places.count == 1
          ? claim(word, or: "Object")
          : claim("\(word)In\(capitalized(contexts[place.context.index]))", or: "Object")
      }
    }
    for store in stack.stores { stores.append(claim(store.name, or: "Store")) }
    for coordinator in stack.coordinators {
      let word = stack.coordinators.count == 1 ? "coordinator" : coordinator.name
      coordinators.append(claim(word, or: "Coordinator"))
    }
    for queue in stack.queues { queues.append(claim(queue.name, or: "Queue")) }
    for group in stack.groups { groups.append(claim(group.name, or: "Group")) }
    for flag in stack.flags { flags.append(claim(flag.name, or: "Flag")) }
    for set in stack.idSets { idSets.append(claim(set.name, or: "IDs")) }
    for list in stack.controllers { controllers.append(claim(list.name, or: "Controller")) }
    for entry in stack.entryPoints { entryPoints.append(claim(entry.name, or: "Entry")) }
  }

  /// Returns an unused name based on `word`, with `suffix` or a number appended if necessary.
  mutating func claim(_ word: String, or suffix: String) -> String {
    let word = identifier(word)
    for candidate in [word, word + suffix] where used.insert(candidate).inserted {
      return candidate
    }
    var number = 2
    while !used.insert("\(word)\(number)").inserted { number += 1 }
    return "\(word)\(number)"
  }

  /// Returns a local name, with a number appended from the second use of `word` on.
  mutating func local(_ word: String) -> String {
    if used.insert("local \(word)").inserted { return word }
    var number = 2
    while !used.insert("\(word)\(number)").inserted { number += 1 }
    return "\(word)\(number)"
  }

  /// The names of all parts of the scenario.
  var all: Set<String> {
    Set(
      contexts + stores + coordinators + queues + groups + flags + idSets + controllers
        + entryPoints
    )
    .union(instances.values)
  }

  subscript(context: ContextID) -> String { contexts[context.index] }
  subscript(store: StoreID) -> String { stores[store.index] }
  subscript(coordinator: CoordinatorID) -> String { coordinators[coordinator.index] }
  subscript(queue: AppQueueID) -> String { queues[queue.index] }
  subscript(group: GroupID) -> String { groups[group.index] }
  subscript(flag: FlagID) -> String { flags[flag.index] }
  subscript(set: IDSetID) -> String { idSets[set.index] }
  subscript(controller: ControllerID) -> String { controllers[controller.index] }
  subscript(entry: EntryPointID) -> String { entryPoints[entry.index] }
  subscript(instance: HeldInstance) -> String? { instances[instance] }

  /// Returns the letters, digits and underscores of `word`, with each later part capitalized.
  private func identifier(_ word: String) -> String {
    let parts = word.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    guard let first = parts.first else { return "unnamed" }
    let joined = String(first) + parts.dropFirst().map { capitalized(String($0)) }.joined()
    return joined.first?.isNumber == true ? "_" + joined : joined
  }
}

/// Returns `word` with its first letter in upper case.
func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

/// Returns `word` with its first letter in lower case.
func decapitalized(_ word: String) -> String { word.prefix(1).lowercased() + word.dropFirst() }
