import Execution
package import Failures
import ObjectModel
package import Vocabulary

/// A change of a run that may prevent a failure.
///
/// The cause of a failure is an intervention without which the program fails, and with which it
/// does not, under the recorded schedule and others. `CauseRule.table` says which interventions are
/// tried, and in which order.
package struct Intervention: Hashable, Sendable {
  /// The cause that a report names if the intervention prevents the failure.
  package let cause: Cause
  /// The part of the design that the intervention changes; nil if it changes no single part.
  package let author: Author?
  let changes: [Change]

  init(_ cause: Cause, by author: Author? = nil, _ changes: Change...) {
    (self.cause, self.author, self.changes) = (cause, author, changes)
  }

  /// A planted bug is a defect under any schedule: no others are tried.
  var isOfBug: Bool { if case .plantedBug = cause { true } else { false } }

  /// One change of the program, of its stack or model, or of the simulated framework.
  enum Change: Hashable, Sendable {
    case removeBug(PlantedBug)
    case turnOff(Quirk)
    /// Contexts with the first policy get the second one.
    case replacePolicy(MergePolicy, by: MergePolicy)
    /// One context gets the error policy.
    case letConflictsFail(in: ContextID)
    /// The author's steps of this sort are omitted, in blocks too.
    case omit(StepSort, of: Author)
    /// The observer of this index is omitted.
    case omitObserver(Int)
    /// The entry point does nothing.
    case emptyEntryPoint(EntryPointID)
    /// One step of an observer is omitted, both by index.
    case omitStep(Int, ofObserver: Int)
    /// Relationships with the delete rule `noAction` get the rule `nullify`.
    case nullifyReferences
    /// Relationships without an inverse get one.
    case giveInverses
    /// No class changes its object in `willSave`.
    case omitWillSave
    /// The context of this index does not merge automatically.
    case mergeNothing(in: Int)
    /// An observer merges each save of the first context into the second one, in a turn of its own.
    case mergeSaves(of: ContextID, into: ContextID)
    /// All roots stand on the coordinator that has every store.
    case useOneCoordinator
    /// Lanes do not overtake each other.
    case keepOrder
  }

  /// The program with all changes, and the configuration to run it with; nil if nothing changes.
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
  /// Changes of the framework change no program.
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

  /// What is inserted goes to the same store as before: the first store that takes it.
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
  /// An observer is named with the context of the given step; equivalent parts of `design` are one.
  func narrowed(to step: AddressedStep?, in stack: Stack, _ design: Stack?) -> DesignPart {
    var part = self
    if let step, case .observer(of: let notification, by: let poster, in: _) = self {
      part = .observer(of: notification, by: poster, in: stack[step.context].name)
    }
    return design.map { part.withItsLike(in: $0, by: step) } ?? part
  }
}
