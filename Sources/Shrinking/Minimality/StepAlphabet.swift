package import Execution
import ObjectModel
package import Vocabulary

/// The steps that smaller programs may be made of: every step of a program with each of its
/// contexts, objects, values and ordinals replaced by every other that the program has, and every
/// block of such steps up to the length of its longest of that kind. A wide one has the common
/// steps besides, and batch requests where programs are short.
///
/// In one order whatever the order of the program: what is found first is the same for all programs
/// that share an alphabet and a last kind of step.
package struct StepAlphabet {
  package struct Letter {
    package let step: AddressedStep
    /// How many steps it counts for: itself and its block's.
    let cost: Int
    /// The objects that it inserts, whenever its block runs.
    let inserted: [ObjectName]

    init(_ step: AddressedStep) {
      self.step = step
      cost = step.stepCount
      inserted = step.insertedNames
    }
  }

  package private(set) var letters: [Letter]
  /// The entity of each name that some step inserts.
  let entities: [EntityID?]
  /// The stack whose parts the letters name.
  private let stack: Stack

  /// Of longer programs those with batch requests would take too long to search.
  static let longestWithRequests = 4

  /// More than this cannot be searched in any budget.
  static let limit = 4_000

  /// Nil if there would be more letters than `limit`.
  package init?(of program: Program) {
    let parts = Parts(of: program)
    guard var steps = parts.leaves() else { return nil }
    let leafCount = steps.count
    for _ in 0..<parts.depth {
      // Blocks of what there is so far; each round adds a level.
      guard let blocks = parts.blocks(of: steps, leafCount: leafCount) else { return nil }
      steps = Array(steps[..<leafCount]) + blocks
    }
    letters = steps.map(Letter.init)
    entities = parts.entities
    stack = program.stack
  }

  /// Steps like `templates`, for all contexts, objects and values of `program`; nil if there would
  /// be more letters than `limit`.
  init?(of templates: [AddressedStep], in program: Program) {
    let parts = Parts(of: program, templates: templates)
    guard let steps = parts.leaves() else { return nil }
    letters = steps.map(Letter.init)
    entities = parts.entities
    stack = program.stack
  }

  /// The steps of `program` as they follow each other, with their blocks.
  init(inOrderOf program: Program) {
    letters = program.steps.map(Letter.init)
    entities = Parts(of: program).entities
    stack = program.stack
  }

  /// With `program`'s common steps, and with batch requests where it is short, for all of its
  /// contexts, objects and values; nil if there would be more letters than `limit`.
  package func widened(for program: Program) -> StepAlphabet? {
    let requests = program.stepCount <= StepAlphabet.longestWithRequests ? program.batchSteps : []
    let templates = program.steps.flatMap(\.leaves) + program.commonSteps + requests
    return Parts(of: program, templates: templates).leaves().map(adding)
  }

  /// Without letters that the options of a campaign leave out, or that call an entry point of its
  /// design from where apps do not; the kinds of steps that `program` has stay, and what it is
  /// about.
  func within(_ configuration: RunConfiguration, for program: Program) -> StepAlphabet {
    let kinds = program.steps.kinds
    var alphabet = self
    alphabet.letters.removeAll { !configuration.stepFilter.admits([$0.step], besides: kinds) }
    if configuration.stack != nil, program.stack.misplacedCallCount(in: program.steps) == 0 {
      alphabet.letters.removeAll { stack.misplacedCallCount(in: [$0.step]) > 0 }
    }
    if configuration.keepsSubjects {
      let (subjects, entities) = (program.subjects, EntityTable(of: program))
      let deeds = program.deeds
      alphabet.letters.removeAll {
        !program.subjects(of: [$0.step], entities).isSubset(of: subjects)
          || !stack.deeds(of: $0.step).isSubset(of: deeds)
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
  /// The names under which it inserts objects, in its block too.
  package var insertedNames: [ObjectName] {
    if case .insert(_, as: let name) = step { return [name] }
    return (step.block ?? []).flatMap(\.insertedNames)
  }

  /// How deep its blocks lie in each other; 0 for a step that has none.
  fileprivate var depth: Int {
    guard let block = step.block else { return 0 }
    return 1 + (block.map(\.depth).max() ?? 0)
  }

  /// It, or the steps of its block and of those in it.
  package var leaves: [AddressedStep] { step.block?.flatMap(\.leaves) ?? [self] }

  fileprivate var blocks: [AddressedStep] {
    guard let block = step.block else { return [] }
    return [self] + block.flatMap(\.blocks)
  }
}

/// What a program is made of.
private struct Parts {
  let stack: Stack
  let templates: [AddressedStep]
  let blocks: [AddressedStep]
  /// The steps of the program without a block.
  private let own: [AddressedStep]
  let depth: Int
  /// By name: the entity it is inserted as; nil if nothing inserts it.
  var entities: [EntityID?]
  /// The values that each property is set to, in one order.
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

  /// All steps without a block, sorted; nil if there are too many.
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

  /// All blocks over `steps`, of which the first `leafCount` are no blocks themselves.
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

  /// Hidden contexts, and writing in those that are only read, are left to what the program has
  /// taken over from entry points, and contexts that stay as long as the app are not discarded.
  private func isAllowed(_ step: AddressedStep, besides own: [AddressedStep]) -> Bool {
    let context = stack[step.context]
    return !context.isHidden && !(context.isReadOnly && step.step.kind.traits.contains(.writes))
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

  /// Nil if there would be too many: they grow with the power of the names that a step mentions.
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
  /// Which DidSave or batch result it merges, from 1; 0 if it merges none by number.
  fileprivate var ordinal: Int {
    switch step.mergeSource {
    case .didSave(_, let ordinal)?, .batch(_, let ordinal)?: ordinal
    case .delivered?, nil: 0
    }
  }

  fileprivate func withOrdinal(_ ordinal: Int) -> AddressedStep {
    let source: MergeSource
    switch step.mergeSource {
    case .didSave(let context, _)?: source = .didSave(context, ordinal: ordinal)
    case .batch(let context, _)?: source = .batch(context, ordinal: ordinal)
    case .delivered?, nil: return self
    }
    if case .mergeChanges = step { return AddressedStep(context, .mergeChanges(source)) }
    return AddressedStep(context, .mergeRemoteChanges(source))
  }

  /// Whether both are blocks of one kind.
  fileprivate func isLike(_ other: AddressedStep) -> Bool {
    step.withBlock([]) == other.step.withBlock([])
  }

}

/// Shorter ones first, then simpler ones.
private func inOrder(_ steps: Set<AddressedStep>) -> [AddressedStep] {
  let placed = steps.map { step in
    var words = [step.stepCount]
    step.appendWords(to: &words)
    return (step: step, words: words)
  }
  return placed.sorted { a, b in
    // The text tells apart what is equally simple; it costs much more than all else.
    a.words == b.words
      ? "\(a.step)" < "\(b.step)" : a.words.lexicographicallyPrecedes(b.words)
  }.map(\.step)
}
