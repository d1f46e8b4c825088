import Execution
import ObjectModel
import Shrinking
import Vocabulary

/// What a failing program does, and where, whatever its objects and values are.
struct Story: Hashable {
  /// The kinds of steps that change or give up something, or tell of it; the stack's own too.
  private let deeds: Set<Step.Kind>
  /// Of each context: what it is a child of, and whether it merges by itself; where something
  /// waits, also whether it is on the main queue.
  private let contexts: [String]
  /// The notifications that are observed, and by contexts at which depth.
  private let observers: Set<String>
  /// The kinds of promises that the stack makes: `unique`, `every`, `count` or `sum`.
  private let promises: Set<Substring>
  /// The kinds of its steps, how many contexts stand at which depth, their policies, and the hooks
  /// that its classes override: of two scenarios with one story, what is nearer.
  let traits: Set<String>

  init(_ program: Program) {
    let stack = program.stack
    let own = stack.observers.flatMap(\.steps) + stack.entryPoints.flatMap(\.steps)
    deeds = (program.steps + own).kinds.filter { $0.traits.contains(.isDeed) }
    let waits = !deeds.isDisjoint(with: [.performAndWait, .dispatchSync, .wait])
    contexts = stack.contextIDs.map { context in
      stack.chain(from: context).map { level in
        (waits && stack[level].isOnMainQueue ? "main" : "context")
          + (stack[level].automaticallyMergesChangesFromParent ? " merging" : "")
      }.joined(separator: " in ")
    }.sorted()
    observers = Set(
      stack.observers.map { observer in
        "\(observer.notification.rawValue) at depth \(stack.chain(from: observer.context).count)"
      })
    promises = Set(stack.promiseTexts.map { $0.prefix { $0 != " " } })
    traits = Story.traits(of: program)
  }

  /// Whether both go wrong by the same deeds on stacks of the same shape.
  func isSame(as other: Story) -> Bool {
    deeds == other.deeds && contexts == other.contexts && observers == other.observers
      && promises == other.promises
  }

  private static func traits(of program: Program) -> Set<String> {
    let (stack, model) = (program.stack, program.model)
    var traits = Set(program.steps.flatMap(\.leaves).map(\.step.verb))
    var counts: [Int: Int] = [:]
    for context in stack.contextIDs {
      let depth = stack.chain(from: context).count
      counts[depth, default: 0] += 1
      traits.insert("\(counts[depth, default: 0]) at depth \(depth)")
      traits.insert("policy \(stack[context].mergePolicy.rawValue)")
    }
    for entity in model.concreteEntities {
      for action in model[entity].hookActions { traits.insert("overrides \(action.hook.rawValue)") }
    }
    return traits
  }
}
