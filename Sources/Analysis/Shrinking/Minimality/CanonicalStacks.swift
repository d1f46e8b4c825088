import Execution
import Generation
import ObjectModel
import Vocabulary

/// Small stacks that are common in apps, with common steps. Failures of one kind and cause shrink
/// to the same program there, regardless of the stack on which they were found.
///
/// A smaller program that fails on a canonical stack replaces the original example. The canonical
/// stacks of a design are its single roots.
struct CanonicalStacks {
  /// A program without steps on a canonical stack.
  let start: Program
  let alphabet: StepAlphabet
  /// The number of parts of a program on this stack.
  let partCount: Int
  /// The maximum number of steps of the programs to search.
  let stepLimit: Int

  /// Returns the maximum number of steps of a program that replaces an example with the given
  /// numbers of steps and parts.
  ///
  /// On a stack whose lanes overtake each other, few programs are searched. There a program with as
  /// many parts may still be simpler.
  func stepLimit(toBeat stepCount: Int, _ partCount: Int) -> Int {
    let isSmaller = self.partCount < partCount || start.isInterleaved && self.partCount == partCount
    return min(stepLimit, isSmaller ? stepCount : stepCount - 1)
  }

  /// Returns the canonical stacks that do not exceed `limits`, with the merge policies of `program`
  /// and otherwise usual settings.
  ///
  /// Single contexts have each of the policies. In two contexts on one coordinator, and in chains
  /// of two and three contexts, one context has the first policy. All these stacks have one object.
  /// In a further chain, with the main queue at both ends, lanes overtake each other and the middle
  /// context merges automatically.
  static func all(for program: Program, within limits: StackLimits) -> [CanonicalStacks] {
    let policies = MergePolicy.allCases.filter { policy in
      policy != .error && program.stack.contexts.contains { $0.mergePolicy == policy }
    }
    let plain = limits.plainestPolicy
    let other = policies.first ?? plain
    let root = Stack.Parent.coordinator(CoordinatorID(0))
    let child = Stack.Parent.context(ContextID(0))
    let grandchild = Stack.Parent.context(ContextID(1))
    let storing: [[(Stack.Parent, MergePolicy)]] = [
      [(root, plain), (root, other)], [(root, other), (child, plain)],
      [(root, other), (child, plain), (grandchild, plain)],
    ]
    let waiting = CanonicalStacks(
      waitingOn: [(root, .mainQueue), (child, .privateQueue), (grandchild, .mainQueue)], plain,
      program)
    let grounds =
      [waiting]
      + (([plain] + policies.filter { $0 != plain }).map { [(root, $0)] } + storing).map {
        CanonicalStacks(storingOn: $0, program)
      }
    return grounds.compactMap(\.self).filter { ground in
      let contexts = ground.start.stack.contexts
      let rootCount = contexts.count { $0.parent == root }
      return contexts.count <= limits.contextCount && rootCount <= limits.rootCount
    }
  }

  /// Returns a stack for each root of the design in which programs may take steps, except roots on
  /// a thread. Of several roots that differ only by name, the first is used.
  static func all(for program: Program, on design: Stack) -> [CanonicalStacks] {
    var known: [Stack.Context] = []
    return design.contextIDs.compactMap { id in
      let context = design[id]
      guard case .coordinator = context.parent, !context.isHidden, context.thread == nil else {
        return nil
      }
      var nameless = context
      nameless.name = ""
      if known.contains(nameless) { return nil }
      known.append(nameless)
      var stack = design
      stack.contexts = [context]
      (stack.observers, stack.controllers, stack.entryPoints) = ([], [], [])
      for other in design.contextIDs where other != id {
        stack.promises = stack.promises.compactMap { $0.without(other) }
        stack.contextPromises.removeAll { $0.context == other }
      }
      stack.promises = stack.promises.map { $0.mapContexts { _ in ContextID(0) } }
      stack.contextPromises = stack.contextPromises.map { $0.mapContexts { _ in ContextID(0) } }
      let start = Program(model: program.model, stack: stack, names: program.names, steps: [])
      return CanonicalStacks(storing: start, program)
    }
  }

  private init?(storingOn contexts: [(Stack.Parent, MergePolicy)], _ program: Program) {
    self.init(
      storing: program.onCommonStack(contexts.map { ($0.0, .privateQueue, $0.1) }), program)
  }

  /// Returns nil if `program` inserts no object.
  private init?(storing empty: Program, _ program: Program) {
    guard let name = program.steps.flatMap(\.insertedNames).min(),
      let entity = EntityTable(of: program)[name]
    else { return nil }
    var start = empty
    start.steps = [AddressedStep(ContextID(0), .insert(entity, as: name))]
    // With batch requests and three contexts, there are too many programs to search far.
    let requests = start.stack.contexts.count < 3 ? start.batchSteps : []
    self.init(start, start.commonSteps + requests, stepLimit: .max)
  }

  private init?(
    waitingOn contexts: [(Stack.Parent, Stack.ConcurrencyType)], _ policy: MergePolicy,
    _ program: Program
  ) {
    guard let entity = program.model.concreteEntities.first else { return nil }
    var start = program.onCommonStack(contexts.map { ($0.0, $0.1, policy) })
    start.isInterleaved = true
    // Let the middle context merge the saves for which the other contexts wait.
    start.stack.contexts[1].automaticallyMergesChangesFromParent = true
    let steps: [Step] = [.fetch(FetchRequest(entity: entity)), .save]
    self.init(start, steps.map { AddressedStep(ContextID(0), $0) }, stepLimit: 3)
  }

  private init?(_ start: Program, _ steps: [AddressedStep], stepLimit: Int) {
    guard let alphabet = StepAlphabet(of: steps, in: start) else { return nil }
    partCount = ProgramSize(start, preemptionCount: 0).partCount
    var empty = start
    empty.steps = []
    self.start = empty
    self.alphabet = alphabet
    self.stepLimit = stepLimit
  }
}

extension Program {
  /// Returns a program without steps on a stack of the given contexts, with the object names of
  /// this program.
  fileprivate func onCommonStack(
    _ contexts: [(parent: Stack.Parent, type: Stack.ConcurrencyType, policy: MergePolicy)]
  ) -> Program {
    var stack = Stack()
    stack.stores = [Stack.Store(name: "main")]
    stack.coordinators = [Stack.Coordinator(name: "store", stores: [StoreID(0)])]
    stack.contexts = zip(["view", "work0", "work1"], contexts).map { name, context in
      var result = Stack.Context(
        name: name, concurrencyType: context.type, parent: context.parent)
      result.mergePolicy = context.policy
      return result
    }
    return Program(model: model, stack: stack, names: names, steps: [])
  }
}
