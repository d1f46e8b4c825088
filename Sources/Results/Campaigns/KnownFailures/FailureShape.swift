import Execution
import ObjectModel
import Shrinking
import Vocabulary

/// The actions of a failing program and the shape of its stack, regardless of objects and values.
struct FailureShape: Hashable {
  /// The kinds of steps with the trait `hasEffect`, including steps of the stack.
  private let effects: Set<Step.Kind>
  /// A text for each context with its ancestors, which says whether each merges automatically. If
  /// some step waits, the text also marks contexts on the main queue.
  private let contexts: [String]
  /// The observed notifications, with the depth of the posting context.
  private let observers: Set<String>
  /// The kinds of promises of the stack, such as `unique`, `every`, `count` or `sum`.
  private let promises: Set<Substring>
  /// Step kinds, numbers of contexts at each depth, merge policies and overridden hooks, by which
  /// scenarios with the same shape are ranked by similarity.
  let traits: Set<String>

  init(_ program: Program) {
    let stack = program.stack
    let own = stack.observers.flatMap(\.steps) + stack.entryPoints.flatMap(\.steps)
    effects = (program.steps + own).kinds.filter { $0.traits.contains(.hasEffect) }
    let waits = !effects.isDisjoint(with: [.performAndWait, .dispatchSync, .wait])
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
    traits = FailureShape.traits(of: program)
  }

  /// Returns a Boolean value that indicates whether both programs fail by the same kinds of steps
  /// on stacks of the same shape.
  func isSame(as other: FailureShape) -> Bool {
    effects == other.effects && contexts == other.contexts && observers == other.observers
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
