package import Execution
import ObjectModel
package import Vocabulary

/// What may become of a designed stack: parts are left out, and nothing else is
/// changed. Contexts and all else are known by their names.
extension Stack {
  /// Whether this is `design`, or less of it. Lists that are not `declared` were generated besides.
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
      && observesNoOtherwise(than: design)
      && entryPoints.allSatisfy { entryPoint in
        design.entryPoints.contains {
          $0.name == entryPoint.name && isLike(entryPoint.steps, $0.steps, in: design)
            && Set(entryPoint.promises.map(\.text)).isSubset(of: $0.promises.map(\.text))
        }
      }
  }

  /// Returns true if the promise is `theirs`, perhaps in fewer places.
  private func isPart(_ promise: Promise, of theirs: Promise, in design: Stack) -> Bool {
    func names(_ promise: Promise, in stack: Stack) -> [String?] {
      promise.places.map { place in
        if case .context(let context) = place { stack[context].name } else { nil }
      }
    }
    return promise.text == theirs.text && promise.occasion == theirs.occasion
      && Set(names(promise, in: self)).isSubset(of: names(theirs, in: design))
  }

  /// Whether this part of `design` is not all of it, in whatever order.
  func isLess(than design: Stack) -> Bool {
    func weight(_ stack: Stack) -> [Int] {
      let size = ProgramSize(
        Program(model: ObjectModel(entities: []), stack: stack, names: [], steps: []),
        preemptionCount: 0)
      return [size.stepCount, size.partCount]
    }
    return weight(self) != weight(design)
  }

  /// Whether it stands where it stood, and is like it was or without some of its settings.
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

  /// Whether its observers do what those of `design` do, or less of it.
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

  /// Whether these are `steps` without some of them, in blocks too, whatever objects they are
  /// about.
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

  /// The verb of a step, its context and, if it has no block, the flags, groups, ID sets, stores
  /// and entry points that it names.
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

  /// Whether these are `steps`, whatever objects they are about.
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

  /// How often a program takes a step on a hidden context, or gives up a context that the design
  /// keeps, or writes in one that the design only reads, or saves one that an entry point saves and
  /// throws away, or calls an entry point from where apps do not.
  package func trespassCount(of program: Program, in design: Stack) -> Int {
    func count(_ steps: [AddressedStep]) -> Int {
      steps.reduce(0) { sum, step in
        let (context, kind) = (self[step.context], step.step.kind)
        let isOver =
          context.isHidden || context.isReadOnly && kind.traits.contains(.writes)
          || kind == .discard && !isDiscardable(step.context, in: design)
          || kind == .save && isMadeForWork(step.context, in: design)
        return sum + (isOver ? 1 : 0) + count(step.step.block ?? [])
      }
    }
    return count(program.steps) + misplacedCallCount(in: program.steps)
  }

  /// How many steps are about contexts that the design makes for one piece of work, and stand in no
  /// block of theirs, or of the caller, at whose end they are thrown away.
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

  /// Whether `last` throws the context away, or calls an entry point that does.
  private func isFinished(_ context: ContextID, by last: AddressedStep?) -> Bool {
    let discard = AddressedStep(context, .discard)
    return last?.contains { step in
      guard case .call(let id) = step.step else { return step == discard }
      return entryPoints[id.index].steps.contains { $0.contains { $0 == discard } }
    } ?? false
  }

  /// Whether `last` is a call that finishes the context, and that apps make for another context.
  private func isFinishedElsewhere(_ context: ContextID, by last: AddressedStep?) -> Bool {
    guard let last, case .call(let id) = last.step else { return false }
    return endings(of: context).contains { ending in
      ending.entryPoint == id && ending.caller != context && ending.caller == last.context
    }
  }

  /// Whether an entry point of the design saves the context and throws it away.
  private func isMadeForWork(_ context: ContextID, in design: Stack) -> Bool {
    design.contextIDs.contains {
      design[$0].name == self[context].name && !design.endings(of: $0).isEmpty
    }
  }

  /// Whether the design says that the context may go; its program's own may have lost the word.
  private func isDiscardable(_ context: ContextID, in design: Stack) -> Bool {
    design.contexts.contains { $0.name == self[context].name && ($0.isDiscardable || $0.isHidden) }
  }
}

extension Program {
  /// Whether it calls an entry point for what programs may not do themselves.
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
  /// Whether it asks for the same in the same order; predicates may have got simpler.
  fileprivate func isLike(_ other: FetchRequest) -> Bool {
    entity == other.entity && sortDescriptors == other.sortDescriptors
  }
}

extension [AddressedStep] {
  /// How many more times they enter a group than leave one.
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
