package import Failures
package import Execution
package import Generation
import Invariants
package import Vocabulary

/// Proves that a program is minimal, or finds a smaller one.
///
/// Programs are composed of the steps of the failing program, with its contexts, objects, values
/// and ordinals in every combination (`StepAlphabet`), on its stack. If none of these programs is
/// shorter, common steps are added.
///
/// The search includes schedules. Among programs with equally many steps, the program with the
/// fewest preemptions comes first.
package struct MinimalityProof {
  package struct Result {
    /// The shortest program that fails as the target. Of several, the simplest whose last step has
    /// the kind of the given program's last step. The given program if no other is found.
    package var program: Program
    package var certificate: Certificate
    /// The total number of transitions of all searches.
    package var transitionCount: Int
    /// The total number of states from which searches continued.
    package var stateCount = 0
  }

  private let configuration: RunConfiguration
  private let budget: Int
  private let wideBudget: Int
  private let budgetOfAnotherStack: Int
  /// The maximum number of steps of a program for which stacks with another context are searched.
  /// Longer programs would need a larger budget.
  private static let longestWithAnotherStack = 6

  /// Creates a proof with budgets in transitions, which are counted and not timed.
  ///
  /// - Parameters:
  ///   - budget: The budget of the search over the program's own steps.
  ///   - wideBudget: The budget of the search that adds common steps.
  package init(
    _ configuration: RunConfiguration, budget: Int = SearchBudgets.full.ownSteps,
    wideBudget: Int = SearchBudgets.full.commonSteps
  ) {
    self.configuration = configuration
    self.budget = budget
    self.wideBudget = wideBudget
    budgetOfAnotherStack = SearchBudgets.full.anotherStack
  }

  init(_ configuration: RunConfiguration, _ budgets: SearchBudgets) {
    self.configuration = configuration
    (budget, wideBudget) = (budgets.ownSteps, budgets.commonSteps)
    budgetOfAnotherStack = budgets.anotherStack
  }

  /// Returns the smallest program that fails as `target`, with its certificate. Returns `program`
  /// itself, which must fail as `target`, if the smallest program is not known.
  package func smallest(_ program: Program, failingAs target: FailureSignature) -> Result {
    guard
      let own = StepAlphabet(of: program)?.within(
        configuration, for: program)
    else {
      return Result(
        program: program,
        certificate: Certificate(verdict: .tooLarge, stepCount: program.stepCount),
        transitionCount: 0)
    }
    let narrow = search(program, target, own, budget)
    guard narrow.certificate.isComplete, narrow.program.stepCount == program.stepCount,
      let common = own.widened(for: program)?.within(
        configuration, for: program)
    else { return narrow }
    // The search over own steps found no shorter program, but a shorter program may use common
    // steps.
    var wide = search(narrow.program, target, common, wideBudget)
    wide.certificate.isWide = true
    var result = wide.certificate.isComplete ? wide : narrow
    if case .open(let below) = wide.certificate.verdict { result.certificate.wideReach = below }
    result.transitionCount = narrow.transitionCount + wide.transitionCount
    result.stateCount = narrow.stateCount + wide.stateCount
    return result
  }

  /// Returns the smallest program on a canonical stack that fails as `target` and that `isSuitable`
  /// accepts as smaller. Returns nil if none is found. `budget` applies to each stack.
  package func onCanonicalStacks(
    _ program: Program, failingAs target: FailureSignature, within limits: StackLimits, budget: Int,
    where isSuitable: (Program) -> Bool
  ) -> (program: Program?, transitionCount: Int) {
    var (best, spent): (Program?, Int) = (nil, 0)
    let size = ProgramSize(program, preemptionCount: 0)
    var (stepCount, partCount) = (size.stepCount, size.partCount)
    let grounds =
      configuration.stack.map { CanonicalStacks.all(for: program, on: $0) }
      ?? CanonicalStacks.all(for: program, within: limits)
    for ground in grounds where stepCount > 1 {
      let search = ProgramSearch(
        best ?? program, target: target, configuration(for: target, in: program),
        budget: budget,
        over: ground.alphabet.within(
          configuration, for: program),
        from: ground.start)
      let result = search.run(upTo: ground.stepLimit(toBeat: stepCount, partCount))
      spent += result.transitionCount
      guard let found = result.found, isSuitable(found) else { continue }
      (best, stepCount, partCount) = (found, found.stepCount, ground.partCount)
    }
    return (best, spent)
  }

  /// Returns a smaller program that fails as `target` on a stack with one more context, or nil if
  /// none is found. Each context has a separate budget.
  ///
  /// On a designed stack, the context is part of the design but not of `program`, and the smaller
  /// program has fewer steps. On a generated stack, the context is a child of an existing context,
  /// and the stack has no unusual settings and no observers. If that simplifies the stack, the
  /// smaller program may have as many steps.
  package func withAnotherContext(
    _ program: Program, failingAs target: FailureSignature
  ) -> (program: Program?, transitionCount: Int) {
    var spent = 0
    guard (2...MinimalityProof.longestWithAnotherStack).contains(program.stepCount) else {
      return (nil, spent)
    }
    let plain = configuration.stack == nil ? program.plain : program
    let widened =
      configuration.stack.map(program.withContexts)
      ?? program.stack.contextIDs.filter { program.stack[$0].concurrencyType != .confinement }
      .map { plain.withChild(of: $0, configuration.limits.plainestPolicy) }
    for wider in widened {
      guard let own = StepAlphabet(of: wider) else { continue }
      // A search over the program's own steps reaches much further. Refreshing makes a context
      // between two others forget its values.
      let forgetting = wider.stack.contextIDs.map { AddressedStep($0, .refreshAllObjects) }
      for alphabet in [own.adding(forgetting), own.widened(for: wider)].compactMap(\.self) {
        let search = ProgramSearch(
          wider, target: target, configuration(for: target, in: program),
          budget: budgetOfAnotherStack,
          over: alphabet.within(configuration, for: program))
        let result = search.run(upTo: program.stepCount - (program == plain ? 1 : 0))
        spent += result.transitionCount
        if let found = result.found { return (found, spent) }
      }
    }
    return (nil, spent)
  }

  /// Returns a program that fails as `target` without one of the observers, and that `isSuitable`
  /// accepts as smaller. Returns nil if none is found. Each observer has a separate budget.
  ///
  /// Steps of observers count, so the program may have as many more steps as the observer had.
  package func withoutAnObserver(
    _ program: Program, failingAs target: FailureSignature, where isSuitable: (Program) -> Bool
  ) -> (program: Program?, transitionCount: Int) {
    var spent = 0
    let size = ProgramSize(program, preemptionCount: 0)
    for index in program.stack.observers.indices {
      var plainer = program
      plainer.stack.observers.remove(at: index)
      let ownStepCount =
        ProgramSize(plainer, preemptionCount: 0).stepCount - plainer.stepCount
      let limit = size.stepCount - ownStepCount
      guard let common = StepAlphabet(of: plainer)?.widened(for: plainer) else { continue }
      let theirs = program.stack.observers[index].steps.flatMap(\.leaves)
      let alphabet = common.adding(theirs).within(
        configuration, for: program)
      let search = ProgramSearch(
        plainer, target: target, configuration(for: target, in: program),
        budget: budgetOfAnotherStack, over: alphabet)
      let result = search.run(upTo: limit)
      spent += result.transitionCount
      if let found = result.found, isSuitable(found) { return (found, spent) }
    }
    return (nil, spent)
  }

  /// Returns the program with the first of the schedules with the fewest preemptions under which
  /// it, or a beginning of it, fails as `target`. Returns nil if the budget is spent first.
  package func withFewestPreemptions(
    _ program: Program, failingAs target: FailureSignature
  ) -> (program: Program?, stateCount: Int, transitionCount: Int) {
    let search = ProgramSearch(
      program, target: target, configuration(for: target, in: program), budget: budget)
    let result = search.run(upTo: program.stepCount)
    return (result.found, result.stateCount, result.transitionCount)
  }

  private func search(
    _ program: Program, _ target: FailureSignature, _ alphabet: StepAlphabet, _ budget: Int
  ) -> Result {
    let size = program.stepCount
    let search = ProgramSearch(
      program, target: target, configuration(for: target, in: program), budget: budget,
      over: alphabet)
    let result = search.run(upTo: size)
    var certificate = Certificate(
      verdict: .minimal, stepCount: size, stateCount: result.stateCount,
      transitionCount: result.transitionCount, letterCount: alphabet.letters.count)
    if let found = result.found {
      certificate.stepCount = found.stepCount
    } else {
      certificate.verdict =
        result.completedCost >= size ? .shortest : .open(belowSteps: result.completedCost)
    }
    return Result(
      program: result.found ?? program, certificate: certificate,
      transitionCount: result.transitionCount, stateCount: result.stateCount)
  }

  /// Returns the cheapest configuration that shows failures of this kind. Proofs are made later.
  private func configuration(
    for target: FailureSignature, in program: Program
  ) -> RunConfiguration {
    var configuration = configuration
    configuration.comparesWithReference = target.kind.invariant == nil
    let level = configuration.checkLevel
    let isOfAnyStack = target.kind.invariant.map { $0.definition.scope == .everyStack } ?? true
    if isOfAnyStack && target.kind.site != .stack || configuration.checkLevel == .proof {
      configuration.checkLevel = target.detail == nil ? .soundness : .signature
    }
    // A lost count shows only at the level `code`.
    if level == .code, !ProgramRunner(configuration).run(program).fails(as: target) {
      configuration.checkLevel = level
    }
    return configuration
  }
}

extension Program {
  /// The program without observers and with usual settings, except for merge policies.
  fileprivate var plain: Program {
    var result = self
    result.stack.observers = []
    for index in stack.contexts.indices {
      for setting in Stack.Context.settings {
        result.stack.contexts[index][keyPath: setting.0] = setting.usual
      }
    }
    return result
  }

  /// Returns the program with one more context of `design`, for each omitted context whose parent
  /// or coordinator the program has. Contexts on threads, and hidden contexts, are not added.
  package func withContexts(of design: Stack) -> [Program] {
    design.contexts.compactMap { context in
      guard !context.isHidden, context.thread == nil,
        !stack.contexts.contains(where: { $0.name == context.name })
      else { return nil }
      var (context, result) = (context, self)
      switch context.parent {
      case .context(let parent):
        let name = design[parent].name
        guard let index = stack.contexts.firstIndex(where: { $0.name == name }) else { return nil }
        context.parent = .context(ContextID(index))
      case .coordinator(let coordinator):
        let name = design.coordinators[coordinator.index].name
        guard let index = stack.coordinators.firstIndex(where: { $0.name == name }) else {
          return nil
        }
        context.parent = .coordinator(CoordinatorID(index))
      }
      result.stack.contexts.append(context)
      return result
    }
  }

  /// Returns the program with an additional child context, which no step uses yet.
  fileprivate func withChild(of parent: ContextID, _ policy: MergePolicy) -> Program {
    var result = self
    var name = "child"
    while stack.contexts.contains(where: { $0.name == name }) { name += "1" }
    var child = Stack.Context(
      name: name, concurrencyType: .privateQueue, parent: .context(parent))
    child.mergePolicy = policy
    result.stack.contexts.append(child)
    return result
  }
}
