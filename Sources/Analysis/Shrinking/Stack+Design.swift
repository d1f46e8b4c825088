package import Execution
import ObjectModel
package import Vocabulary

/// Relations between a designed stack and a part of it. A part omits elements of the design and
/// changes nothing else. Contexts and other elements are identified by name.
extension Stack {
  /// Returns a Boolean value that indicates whether this stack is `design` or a part of it. Lists
  /// that are not `declared` were generated in addition.
  package func isPart(of design: Stack, declaring declared: [ResultsController]) -> Bool {
    (timing == design.timing || timing == Timing())
      && stores.allSatisfy { store in
        design.stores.contains { $0.name == store.name && $0.isInMemory == store.isInMemory }
      }
      && contexts.allSatisfy { context in
        design.contexts.contains { isPart(context, of: $0, in: design) }
      }
      && controllers.allSatisfy { controller in
        !declared.contains { $0.name == controller.name }
          || design.controllers.contains { theirs in
            theirs.name == controller.name && theirs.request.isLike(controller.request)
              && design[theirs.context].name == self[controller.context].name
          }
      }
      && promises.allSatisfy { promise in
        design.promises.contains { isPart(promise, of: $0, in: design) }
      }
      && Set(contextPromises.map(\.text)).isSubset(of: design.contextPromises.map(\.text))
      && observesNoOtherwise(than: design)
      && entryPoints.allSatisfy { entryPoint in
        design.entryPoints.contains {
          $0.name == entryPoint.name && isLike(entryPoint.steps, $0.steps, in: design)
            && Set(entryPoint.promises.map(\.text)).isSubset(of: $0.promises.map(\.text))
        }
      }
  }

  /// Returns a Boolean value that indicates whether `promise` has the text and occasion of
  /// `theirs`, and no place that `theirs` lacks.
  private func isPart(_ promise: Promise, of theirs: Promise, in design: Stack) -> Bool {
    func names(_ promise: Promise, in stack: Stack) -> [String?] {
      promise.places.map { $0.context.map { stack[$0].name } }
    }
    return promise.text == theirs.text && promise.occasion == theirs.occasion
      && Set(names(promise, in: self)).isSubset(of: names(theirs, in: design))
  }

  /// Returns a Boolean value that indicates whether this part of `design` lacks some of it. The
  /// order of elements does not matter.
  func isLess(than design: Stack) -> Bool {
    func weight(_ stack: Stack) -> [Int] {
      let size = ProgramSize(
        Program(model: ObjectModel(entities: []), stack: stack, names: [], steps: []),
        preemptionCount: 0)
      return [size.stepCount, size.partCount]
    }
    return weight(self) != weight(design)
  }

  /// Returns a Boolean value that indicates whether the context has the position and settings of
  /// `theirs`, or some settings at their usual values.
  private func isPart(_ context: Context, of theirs: Context, in design: Stack) -> Bool {
    func isKept(_ setting: KeyPath<Context, Bool>, byDefault standard: Bool) -> Bool {
      context[keyPath: setting] == theirs[keyPath: setting]
        || context[keyPath: setting] == standard
    }
    return context.name == theirs.name && context.concurrencyType == theirs.concurrencyType
      && name(of: context.parent) == design.name(of: theirs.parent)
      && context.thread.map { queues[$0.index].name }
        == theirs.thread.map { design.queues[$0.index].name }
      && context.mergePolicy == theirs.mergePolicy && context.isHidden == theirs.isHidden
      && context.isReadOnly == theirs.isReadOnly
      && isKept(\.automaticallyMergesChangesFromParent, byDefault: false)
      && isKept(\.hasUndoManager, byDefault: false)
      && isKept(\.hasZeroStaleness, byDefault: false)
      && isKept(\.shouldDeleteInaccessibleFaults, byDefault: true)
      && isKept(\.retainsRegisteredObjects, byDefault: false)
      && isKept(\.propagatesDeletesAtEndOfEvent, byDefault: true)
      && isKept(\.isDiscardable, byDefault: false)
  }

  private func name(of parent: Parent) -> String {
    switch parent {
    case .coordinator(let coordinator): coordinators[coordinator.index].name
    case .context(let context): self[context].name
    }
  }

  // MARK: Observers

  /// Returns a Boolean value that indicates whether the observers take the steps of the observers
  /// of `design`, or fewer.
  private func observesNoOtherwise(than design: Stack) -> Bool {
    var theirs = design.observers[...]
    return observers.allSatisfy { observer in
      while let their = theirs.popFirst() {
        if their.notification == observer.notification,
          self[observer.context].name == design[their.context].name,
          isPruned(observer.steps, from: their.steps, in: design),
          observer.steps.entrySurplus == their.steps.entrySurplus
        {
          return true
        }
      }
      return false
    }
  }

  /// Returns a Boolean value that indicates whether `mine` results from `steps` by removing steps,
  /// including steps in blocks. The objects of the steps may differ.
  private func isPruned(
    _ mine: [AddressedStep], from steps: [AddressedStep], in design: Stack
  ) -> Bool {
    var theirs = steps[...]
    return mine.allSatisfy { step in
      while let their = theirs.popFirst() {
        if partNames(in: step) == design.partNames(in: their),
          isPruned(step.step.block ?? [], from: their.step.block ?? [], in: design)
        {
          return true
        }
      }
      return false
    }
  }

  /// Returns the verb and the context of a step. For a step without a block, adds the flags,
  /// groups, ID sets, stores and entry points that it names.
  private func partNames(in step: AddressedStep) -> [String] {
    var parts = [step.step.verb, self[step.context].name]
    if step.step.block != nil { return parts }
    func note<ID>(_ name: @escaping (ID) -> String) -> (ID) -> ID {
      { id in
        parts.append(name(id))
        return id
      }
    }
    var mapping = StepMapping()
    mapping.flag = note { flags[$0.index].name }
    mapping.group = note { groups[$0.index].name }
    mapping.idSet = note { idSets[$0.index].name }
    mapping.store = note { stores[$0.index].name }
    mapping.entryPoint = note { entryPoints[$0.index].name }
    _ = mapping.map(step.step)
    return parts
  }

  /// Returns a Boolean value that indicates whether both lists have the same steps. The objects of
  /// the steps may differ.
  private func isLike(
    _ mine: [AddressedStep], _ steps: [AddressedStep], in design: Stack
  ) -> Bool {
    mine.count == steps.count
      && zip(mine, steps).allSatisfy { step, their in
        partNames(in: step) == design.partNames(in: their)
          && isLike(step.step.block ?? [], their.step.block ?? [], in: design)
      }
  }

  // MARK: What programs do

  /// Returns the number of steps of a program that an app with this design would not take.
  ///
  /// Such a step is in a hidden context, writes in a read-only context, or discards a context that
  /// the design keeps. Saving a context that an entry point saves and discards counts too, as does
  /// a misplaced call of an entry point. So do changes of the app's flags, groups and sets of
  /// IDs.
  package func trespassCount(of program: Program, in design: Stack) -> Int {
    func count(_ steps: [AddressedStep]) -> Int {
      steps.reduce(0) { sum, step in
        let (context, kind) = (self[step.context], step.step.kind)
        let isOver =
          context.isHidden || context.isReadOnly && kind.isForWriters
          || kind == .discard && !isDiscardable(step.context, in: design)
          || kind == .save && isMadeForWork(step.context, in: design)
          || kind.traits.contains(.changesAppVariable)
        return sum + (isOver ? 1 : 0) + count(step.step.block ?? [])
      }
    }
    return count(program.steps) + misplacedCallCount(in: program.steps)
  }

  /// Returns the number of steps in contexts that the design makes for one piece of work, outside a
  /// block that ends by discarding the context. The block may be the context's own or the caller's.
  package func unfinishedCount(_ steps: [AddressedStep], in design: Stack) -> Int {
    steps.reduce(0) { sum, step in
      let block = step.step.block ?? []
      if isMadeForWork(step.context, in: design) {
        return sum + (isFinished(step.context, by: block.last) ? 0 : 1)
      }
      let others = block.filter { !isFinishedElsewhere($0.context, by: block.last) }
      return sum + unfinishedCount(others, in: design)
    }
  }

  /// Returns a Boolean value that indicates whether `last` discards the context, or calls an entry
  /// point that does.
  private func isFinished(_ context: ContextID, by last: AddressedStep?) -> Bool {
    let discard = AddressedStep(context, .discard)
    return last?.contains { step in
      guard case .call(let id) = step.step else { return step == discard }
      return entryPoints[id.index].steps.contains { $0.contains { $0 == discard } }
    } ?? false
  }

  /// Returns a Boolean value that indicates whether `last` is a call that finishes the context,
  /// made in another context as apps do.
  private func isFinishedElsewhere(_ context: ContextID, by last: AddressedStep?) -> Bool {
    guard let last, case .call(let id) = last.step else { return false }
    return endings(of: context).contains { ending in
      ending.entryPoint == id && ending.caller != context && ending.caller == last.context
    }
  }

  /// Returns a Boolean value that indicates whether an entry point of the design saves the context
  /// and discards it.
  private func isMadeForWork(_ context: ContextID, in design: Stack) -> Bool {
    design.contextIDs.contains {
      design[$0].name == self[context].name && !design.endings(of: $0).isEmpty
    }
  }

  /// Returns a Boolean value that indicates whether the design allows the context to be discarded.
  /// The program's own stack may have lost this setting.
  private func isDiscardable(_ context: ContextID, in design: Stack) -> Bool {
    design.contexts.contains { $0.name == self[context].name && ($0.isDiscardable || $0.isHidden) }
  }
}

extension Program {
  /// A Boolean value that indicates whether the program calls an entry point that takes steps in
  /// hidden contexts.
  var callsForHiddenContexts: Bool {
    stack.entryPoints.indices.contains { index in
      stack.entryPoints[index].steps.contains { step in
        step.contains { stack[$0.context].isHidden }
      }
        && steps.contains { $0.contains { $0.step == .call(EntryPointID(index)) } }
    }
  }
}

extension FetchRequest {
  /// Returns a Boolean value that indicates whether both requests have the same entity and order.
  /// Predicates may differ, because shrinking simplifies them.
  fileprivate func isLike(_ other: FetchRequest) -> Bool {
    entity == other.entity && sortDescriptors == other.sortDescriptors
  }
}

extension [AddressedStep] {
  /// The number of steps that enter a group, minus the number of steps that leave one.
  fileprivate var entrySurplus: Int {
    reduce(0) { sum, step in
      let own =
        switch step.step {
        case .enter: 1
        case .leave: -1
        default: 0
        }
      return sum + own + (step.step.block ?? []).entrySurplus
    }
  }
}
