import Execution
package import Failures
import ObjectModel
package import Vocabulary

/// A change of a run that may prevent a failure.
///
/// An intervention is a cause if the program fails without it and does not fail with it, under the
/// recorded schedule and others. `CauseRule.table` decides which interventions are tried, and in
/// which order.
package struct Intervention: Hashable, Sendable {
  /// The cause that a report names if the intervention prevents the failure.
  package let cause: Cause
  /// The part of the design that the intervention changes, or nil if it changes no single part.
  package let author: Author?
  let changes: [Change]

  init(_ cause: Cause, by author: Author? = nil, _ changes: Change...) {
    (self.cause, self.author, self.changes) = (cause, author, changes)
  }

  /// A Boolean value that indicates whether the intervention removes a planted bug. Such a bug is a
  /// defect under any schedule, so no other schedules are tried.
  var isOfBug: Bool { if case .plantedBug = cause { true } else { false } }

  /// A change of the program, its stack or model, or the simulated framework.
  enum Change: Hashable, Sendable {
    case removeBug(PlantedBug)
    case turnOff(Quirk)
    /// Replaces the first policy with the second in every context.
    case replacePolicy(MergePolicy, by: MergePolicy)
    /// Gives the error policy to a context.
    case letConflictsFail(in: ContextID)
    /// Omits the author's steps of a sort, also within blocks.
    case omit(StepSort, of: Author)
    case omitObserver(Int)
    /// Omits all steps of the entry point.
    case emptyEntryPoint(EntryPointID)
    /// Omits a step of an observer. Step and observer are given by index.
    case omitStep(Int, ofObserver: Int)
    /// Replaces the delete rule `noAction` with `nullify` in all relationships.
    case nullifyReferences
    /// Gives an inverse to relationships without one.
    case giveInverses
    /// Removes `willSave` hooks from all classes of the model.
    case omitWillSave
    /// Turns off automatic merging in the context with this index.
    case mergeNothing(in: Int)
    /// Adds an observer that merges each save of the first context into the second context, in a
    /// block that runs later.
    case mergeSaves(of: ContextID, into: ContextID)
    /// Moves all root contexts to the coordinator that has every store.
    case useOneCoordinator
    /// Prevents lanes from overtaking each other.
    case keepOrder
  }

  /// Returns the changed program, and the configuration for its run. Returns nil if the
  /// intervention changes nothing.
  func applied(
    to program: Program, _ configuration: RunConfiguration
  ) -> (program: Program, configuration: RunConfiguration)? {
    var (changedProgram, changed) = (program, configuration)
    for change in changes {
      switch change {
      case .removeBug(let bug): changed.bugs.remove(bug)
      case .turnOff(let quirk): changed.quirks.remove(quirk)
      default: changedProgram.apply(change)
      }
    }
    let isChanged =
      changed.bugs != configuration.bugs || changed.quirks != configuration.quirks
      || changedProgram != program
    return isChanged ? (changedProgram, changed) : nil
  }
}

/// Sorts of steps that an intervention omits together.
enum StepSort: Hashable, Sendable {
  case repeatedInsertions, refreshes, merges, rollbacks, calls, storeTaking
  case bypass(Bypass)

  func includes(_ step: Step) -> Bool {
    switch self {
    case .repeatedInsertions: step.kind == .insertAgain
    case .refreshes: step.traits.contains(.refreshes)
    case .merges: step.traits.contains(.merges)
    case .rollbacks: step.kind == .rollback
    case .calls: step.kind == .call
    case .storeTaking: step.traits.contains(.takesStore)
    case .bypass(let bypass): bypass.takes(step)
    }
  }
}

extension Program {
  /// Applies a change to the program. Changes of the framework do not affect it.
  fileprivate mutating func apply(_ change: Intervention.Change) {
    switch change {
    case .removeBug, .turnOff: break
    case .replacePolicy(let old, let new):
      for index in stack.contexts.indices where stack.contexts[index].mergePolicy == old {
        stack.contexts[index].mergePolicy = new
      }
    case .letConflictsFail(in: let context): stack.contexts[context.index].mergePolicy = .error
    case .omit(let sort, of: .program): steps = steps.compactMap { $0.without(sort.includes) }
    case .omit(let sort, of: .observer(let index)):
      let own = stack.observers[index].steps
      stack.observers[index].steps = own.compactMap { $0.without(sort.includes) }
    case .omit(let sort, of: .entryPoint(let id)):
      let own = stack.entryPoints[id.index].steps
      stack.entryPoints[id.index].steps = own.compactMap { $0.without(sort.includes) }
    case .omitObserver(let index): stack.observers.remove(at: index)
    case .emptyEntryPoint(let id): stack.entryPoints[id.index].steps = []
    case .omitStep(let step, ofObserver: let index): stack.observers[index].steps.remove(at: step)
    case .nullifyReferences: model = model.replacing(.noAction, by: .nullify)
    case .giveInverses: model = model.givingInverses()
    case .omitWillSave: model = model.without(.willSave)
    case .mergeNothing(in: let index):
      stack.contexts[index].automaticallyMergesChangesFromParent = false
    case .mergeSaves(of: let saver, into: let context):
      let merge = AddressedStep(context, .mergeChanges(.delivered))
      stack.observers.append(
        Stack.Observer(
          notification: .didSave, context: saver, steps: [AddressedStep(context, .perform([merge]))]
        ))
    case .useOneCoordinator: useOneCoordinator()
    case .keepOrder: isInterleaved = false
    }
  }

  /// Moves all root contexts to the coordinator whose list of stores begins with the list of every
  /// other coordinator.
  ///
  /// Inserted objects keep their store, which is the first store in the list that accepts them.
  private mutating func useOneCoordinator() {
    let coordinators = stack.coordinators
    let widest = coordinators.indices.first { index in
      coordinators.allSatisfy { coordinators[index].stores.starts(with: $0.stores) }
    }
    guard coordinators.count > 1, let widest else { return }
    for index in stack.contexts.indices {
      if case .coordinator = stack.contexts[index].parent {
        stack.contexts[index].parent = .coordinator(CoordinatorID(widest))
      }
    }
  }
}

extension DesignPart {
  /// Narrows an observer to the context of the given step, and merges it with equivalent parts of
  /// `design`.
  func narrowed(to step: AddressedStep?, in stack: Stack, _ design: Stack?) -> DesignPart {
    var part = self
    if let step, case .observer(of: let notification, by: let poster, in: _) = self {
      part = .observer(of: notification, by: poster, in: stack[step.context].name)
    }
    return design.map { part.mergedWithEquivalents(in: $0, by: step) } ?? part
  }
}
