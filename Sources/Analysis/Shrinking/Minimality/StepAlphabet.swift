package import Execution
import ObjectModel
package import Vocabulary

/// The steps of which smaller programs are composed.
///
/// The alphabet contains every step of a program, with each of its contexts, objects, values and
/// ordinals replaced by every other of the program. Blocks contain every sequence of such steps, up
/// to the length of the longest block of that kind in the program. A wide alphabet also contains
/// common steps and, for short programs, batch requests.
///
/// The order of letters does not depend on the order of the program. Programs with the same
/// alphabet and the same kind of last step thus lead to the same result.
package struct StepAlphabet {
  package struct Letter {
    package let step: AddressedStep
    /// The number of steps for which the letter counts, including the steps of its block.
    let cost: Int
    /// The objects that the step inserts, including those inserted later by its block.
    let inserted: [ObjectName]

    init(_ step: AddressedStep) {
      self.step = step
      cost = step.stepCount
      inserted = step.insertedNames
    }
  }

  package private(set) var letters: [Letter]
  /// The entity of each name that some step inserts, indexed by name.
  let entities: [EntityID?]
  /// The stack whose parts the letters name.
  private let stack: Stack

  /// The maximum number of steps of a program for which batch requests are added. Longer programs
  /// would take too long to search.
  static let longestWithRequests = 4

  /// The maximum number of letters. No budget is enough to search more.
  static let limit = 4_000

  /// Creates the alphabet of a program. Returns nil if there are more letters than `limit`.
  package init?(of program: Program) {
    let parts = Parts(of: program)
    guard var steps = parts.leaves() else { return nil }
    let leafCount = steps.count
    for _ in 0..<parts.depth {
      // Each round builds blocks of the steps so far, and thereby adds a level.
      guard let blocks = parts.blocks(of: steps, leafCount: leafCount) else { return nil }
      steps = Array(steps[..<leafCount]) + blocks
    }
    letters = steps.map(Letter.init)
    entities = parts.entities
    stack = program.stack
  }

  /// Creates an alphabet of steps like `templates`, for all contexts, objects and values of
  /// `program`. Returns nil if there are more letters than `limit`.
  init?(of templates: [AddressedStep], in program: Program) {
    let parts = Parts(of: program, templates: templates)
    guard let steps = parts.leaves() else { return nil }
    letters = steps.map(Letter.init)
    entities = parts.entities
    stack = program.stack
  }

  /// Creates an alphabet of the steps of `program` in their order, with their blocks.
  init(inOrderOf program: Program) {
    letters = program.steps.map(Letter.init)
    entities = Parts(of: program).entities
    stack = program.stack
  }

  /// Returns the alphabet with common steps and, for short programs, batch requests, for all
  /// contexts, objects and values of `program`. Returns nil if there are more letters than `limit`.
  package func widened(for program: Program) -> StepAlphabet? {
    let requests = program.stepCount <= StepAlphabet.longestWithRequests ? program.batchSteps : []
    let templates = program.steps.flatMap(\.leaves) + program.commonSteps + requests
    return Parts(of: program, templates: templates).leaves().map(adding)
  }

  /// Returns the alphabet without step kinds that the campaign leaves out and `program` does not
  /// have. On a design, removes misplaced calls of entry points, unless `program` has such calls.
  /// If the configuration keeps subjects, removes letters with other subjects or activities than
  /// the program's.
  func within(_ configuration: RunConfiguration, for program: Program) -> StepAlphabet {
    let kinds = program.steps.kinds
    var alphabet = self
    alphabet.letters.removeAll { !configuration.stepFilter.admits([$0.step], besides: kinds) }
    if configuration.stack != nil, program.stack.misplacedCallCount(in: program.steps) == 0 {
      alphabet.letters.removeAll { stack.misplacedCallCount(in: [$0.step]) > 0 }
    }
    if configuration.keepsSubjects {
      let (subjects, entities) = (program.subjects, EntityTable(of: program))
      let activities = program.activities
      alphabet.letters.removeAll {
        !program.subjects(of: [$0.step], entities).isSubset(of: subjects)
          || !stack.activities(of: $0.step).isSubset(of: activities)
      }
    }
    return alphabet
  }

  package func adding(_ steps: [AddressedStep]) -> StepAlphabet {
    var alphabet = self
    alphabet.letters = inOrder(Set(letters.map(\.step) + steps)).map(Letter.init)
    return alphabet
  }
}

extension AddressedStep {
  /// The names under which the step or its block inserts objects.
  package var insertedNames: [ObjectName] {
    if case .insert(_, as: let name) = step { return [name] }
    return (step.block ?? []).flatMap(\.insertedNames)
  }

  /// The nesting depth of the step's blocks. 0 for a step without a block.
  fileprivate var depth: Int {
    guard let block = step.block else { return 0 }
    return 1 + (block.map(\.depth).max() ?? 0)
  }

  /// The step itself, or the steps without a block on all levels of its block.
  package var leaves: [AddressedStep] { step.block?.flatMap(\.leaves) ?? [self] }

  fileprivate var blocks: [AddressedStep] {
    guard let block = step.block else { return [] }
    return [self] + block.flatMap(\.blocks)
  }
}

/// The steps, objects and values of a program.
private struct Parts {
  let stack: Stack
  let templates: [AddressedStep]
  let blocks: [AddressedStep]
  /// The steps of the program without a block.
  private let own: [AddressedStep]
  let depth: Int
  /// The entity of each name, or nil if no step inserts it.
  var entities: [EntityID?]
  /// The values that each property is set to, in order of appearance.
  private var values: [(PropertyID, EntityID?, Value)] = []
  private let ordinalCount: Int

  init(of program: Program, templates: [AddressedStep]? = nil) {
    stack = program.stack
    own = program.steps.flatMap(\.leaves)
    self.templates = templates ?? own
    blocks = program.steps.flatMap(\.blocks)
    depth = program.steps.map(\.depth).max() ?? 0
    entities = Array(repeating: nil, count: program.names.count)
    ordinalCount = self.templates.map(\.ordinal).max() ?? 0
    for template in self.templates {
      if case .insert(let entity, as: let name) = template.step { entities[name.index] = entity }
    }
    for template in self.templates {
      guard let (name, property, value) = template.step.assignment else { continue }
      let item = (property, entities[name.index], value)
      if !values.contains(where: { $0 == item }) { values.append(item) }
    }
  }

  /// Returns all steps without a block, sorted, or nil if there are too many.
  func leaves() -> [AddressedStep]? {
    var found: Set<AddressedStep> = []
    for template in templates {
      guard let named = withEveryName(template) else { return nil }
      for step in named where step.isPerformable(on: stack) && isAllowed(step, besides: own) {
        for step in withEveryValue(step) { found.formUnion(withEveryOrdinal(step)) }
      }
      if found.count > StepAlphabet.limit { return nil }
    }
    return inOrder(found)
  }

  /// Returns all blocks of `steps`, sorted, or nil if there are too many.
  func blocks(of steps: [AddressedStep], leafCount: Int) -> [AddressedStep]? {
    var found: Set<AddressedStep> = []
    for block in blocks {
      let length = blocks.filter { $0.isLike(block) }.map { $0.step.block?.count ?? 0 }.max() ?? 0
      let staysAtHome = (block.step.block ?? []).allSatisfy { $0.context == block.context }
      for context in stack.contextIDs
      where suits(block, context)
        && isAllowed(AddressedStep(context, block.step), besides: blocks)
      {
        let letters =
          staysAtHome || stack[context].isHidden ? steps.filter { $0.context == context } : steps
        guard
          let bodies = sequences(of: letters, upTo: length, room: StepAlphabet.limit - found.count)
        else { return nil }
        for body in bodies {
          found.insert(AddressedStep(context, block.step.withBlock(body)))
        }
      }
    }
    return inOrder(found)
  }

  /// Returns a Boolean value that indicates whether programs may take a step in its context.
  ///
  /// Programs take steps in hidden contexts, write in read-only contexts and discard permanent
  /// contexts only if the original program does. Such steps come from entry points.
  private func isAllowed(_ step: AddressedStep, besides own: [AddressedStep]) -> Bool {
    let context = stack[step.context]
    return !context.isHidden && !(context.isReadOnly && step.step.kind.isForWriters)
      && (step.step != .discard || context.isDiscardable)
      || own.contains { $0.context == step.context && $0.step.verb == step.step.verb }
  }

  private func suits(_ block: AddressedStep, _ context: ContextID) -> Bool {
    if case .performBackgroundTask = block.step { return stack.parent(of: context) == nil }
    return stack[context].concurrencyType == stack[block.context].concurrencyType
      || stack[context].concurrencyType != .confinement
        && stack[block.context].concurrencyType != .confinement
  }

  private func sequences(
    of letters: [AddressedStep], upTo length: Int, room: Int
  ) -> [[AddressedStep]]? {
    var all: [[AddressedStep]] = []
    var longest: [[AddressedStep]] = [[]]
    for _ in 0..<length {
      guard longest.count * letters.count + all.count <= room else { return nil }
      longest = longest.flatMap { sequence in letters.map { sequence + [$0] } }
      all += longest
    }
    return all
  }

  // MARK: Substitutions

  /// Returns the step with every combination of contexts and names. Returns nil if there are too
  /// many, since their number grows exponentially with the number of names in the step.
  private func withEveryName(_ template: AddressedStep) -> [AddressedStep]? {
    var contexts: [ContextID] = []
    var names: [ObjectName] = []
    _ = template.map(
      name: { name in
        if !names.contains(name) { names.append(name) }
        return name
      },
      context: { context in
        if !contexts.contains(context) { contexts.append(context) }
        return context
      })
    var steps = [(contexts: [ContextID](), names: [ObjectName]())]
    for _ in contexts {
      steps = steps.flatMap { step in
        stack.contextIDs.map { (step.contexts + [$0], step.names) }
      }
      if steps.count > StepAlphabet.limit { return nil }
    }
    for name in names {
      let others = entities.indices.map { ObjectName($0) }.filter {
        entities[$0.index] == entities[name.index] && (entities[name.index] != nil || $0 == name)
      }
      steps = steps.flatMap { step in others.map { (step.contexts, step.names + [$0]) } }
      if steps.count > StepAlphabet.limit { return nil }
    }
    return steps.map { step in
      template.map(
        name: { name in names.firstIndex(of: name).map { step.names[$0] } ?? name },
        context: { context in contexts.firstIndex(of: context).map { step.contexts[$0] } ?? context
        })
    }
  }

  private func withEveryValue(_ step: AddressedStep) -> [AddressedStep] {
    guard let (name, property, _) = step.step.assignment else { return [step] }
    return values.filter { $0.0 == property && $0.1 == entities[name.index] }.map { item in
      AddressedStep(step.context, step.step.assigning(item.2))
    }
  }

  private func withEveryOrdinal(_ step: AddressedStep) -> [AddressedStep] {
    guard step.ordinal > 0 else { return [step] }
    return (1...ordinalCount).map { step.withOrdinal($0) }
  }
}

extension Step {
  fileprivate var assignment: (ObjectName, PropertyID, Value)? {
    switch self {
    case .set(let name, let property, let value), .setPrimitive(let name, let property, let value):
      (name, property, value)
    default: nil
    }
  }

  fileprivate func assigning(_ value: Value) -> Step {
    switch self {
    case .set(let name, let property, _): .set(name, property, value)
    case .setPrimitive(let name, let property, _): .setPrimitive(name, property, value)
    default: self
    }
  }

  fileprivate var mergeSource: MergeSource? {
    switch self {
    case .mergeChanges(let source), .mergeRemoteChanges(let source): source
    default: nil
    }
  }
}

extension AddressedStep {
  /// The number of the DidSave or batch result that the step merges, from 1. 0 if it merges none by
  /// number.
  fileprivate var ordinal: Int {
    switch step.mergeSource {
    case .didSave(_, let ordinal)?, .batch(_, let ordinal)?: ordinal
    case .delivered?, .latestBatch?, nil: 0
    }
  }

  fileprivate func withOrdinal(_ ordinal: Int) -> AddressedStep {
    let source: MergeSource
    switch step.mergeSource {
    case .didSave(let context, _)?: source = .didSave(context, ordinal: ordinal)
    case .batch(let context, _)?: source = .batch(context, ordinal: ordinal)
    case .delivered?, .latestBatch?, nil: return self
    }
    if case .mergeChanges = step { return AddressedStep(context, .mergeChanges(source)) }
    return AddressedStep(context, .mergeRemoteChanges(source))
  }

  /// Returns a Boolean value that indicates whether both steps have blocks of one kind.
  fileprivate func isLike(_ other: AddressedStep) -> Bool {
    step.withBlock([]) == other.step.withBlock([])
  }

}

/// Returns the steps in order, shorter steps first, then simpler steps.
private func inOrder(_ steps: Set<AddressedStep>) -> [AddressedStep] {
  let placed = steps.map { step in
    var words = [step.stepCount]
    step.appendWords(to: &words)
    return (step: step, words: words)
  }
  return placed.sorted { a, b in
    // The text, which costs much more than the numbers, distinguishes equally simple steps.
    a.words == b.words
      ? "\(a.step)" < "\(b.step)" : a.words.lexicographicallyPrecedes(b.words)
  }.map(\.step)
}
