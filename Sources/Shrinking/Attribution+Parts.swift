package import Failures
import Determinism
package import Execution
import SimulatedCoreData
import Vocabulary

/// Which part of a design a failure is blamed on.
extension Attribution {
  /// An automatic merge, an observer or an entry point, without which the failure does not happen.
  func partOfStack(
    of target: FailureSignature, in program: Program, _ parts: Suspicion.Parts
  ) -> Cause? {
    // What no part of the design merges, a context merges by itself.
    let mergesByItself =
      target.kind.invariant == .FollowersReadWhatWasSaved && target.detail?.part == nil
    if parts == .none, !mergesByItself { return nil }
    if parts == .ofStep { return causeOfStep(showing: target) }
    if target.kind.site == .stack, let taker = takerOfStore(of: target, in: program) {
      return taker.isObserver ? .observer : .entryPoint
    }
    for index in program.stack.contexts.indices
    where program.stack.contexts[index].automaticallyMergesChangesFromParent {
      var changed = program
      changed.stack.contexts[index].automaticallyMergesChangesFromParent = false
      if !fails(changed, as: target) { return .automaticMerge }
    }
    if parts == .none { return nil }
    // What takes the time is known from the run.
    if target.kind.invariant == .MainQueueKeepsWithinItsBudget, let part = target.detail?.part {
      return part.isObserver ? .observer : .entryPoint
    }
    if parts == .allButSavers, let cause = causeOfStep(showing: target) { return cause }
    for index in program.stack.observersByWeight
    where parts == .any || !program.stack.onlySaves(.observer(index)) {
      var changed = program
      changed.stack.observers.remove(at: index)
      if !fails(changed, as: target) { return .observer }
    }
    // A save that is put off shows when the program gives up what it has saved.
    let isOfSaver =
      target.kind.invariant == .GivenUpWorkIsNotSaved && target.detail?.part?.isObserver == false
    return (target.kind.site == .stack || isOfSaver) && depends(program, on: \.isCall, for: target)
      ? .entryPoint : nil
  }

  /// The part of the design whose own step shows a failure.
  private func causeOfStep(showing target: FailureSignature) -> Cause? {
    guard target.kind.site == .stack, let part = target.detail?.part else { return nil }
    return part.isObserver ? .observer : .entryPoint
  }

  /// The part of the design that has to do with a failure of this cause: the one without which it
  /// does not happen, or whose step showed it. Parts that do the same count as one.
  /// Costs a few runs for each part, and for each step of an observer.
  package func part(
    of target: FailureSignature, _ cause: Cause?, in program: Program
  ) -> DesignPart? {
    guard let part = partAlone(of: target, cause, in: program) else { return nil }
    let step = step(of: part, neededFor: target, in: program)
    return narrowed(part, to: step, in: program.stack, configuration.stack)
  }

  /// An observer in the context of this step of its own, and with its like.
  private func narrowed(
    _ part: DesignPart, to step: AddressedStep?, in stack: Stack, _ design: Stack?
  ) -> DesignPart {
    var part = part
    if let step, case .observer(of: let notification, by: let poster, in: _) = part {
      part = .observer(of: notification, by: poster, in: stack[step.context].name)
    }
    return design.map { part.withItsLike(in: $0, by: step) } ?? part
  }

  /// The first of an observer's steps without which the failure does not happen: one that does
  /// something in a context, if there is any.
  private func step(
    of part: DesignPart, neededFor target: FailureSignature, in program: Program
  ) -> AddressedStep? {
    let stack = program.stack
    let index = stack.observers.indices.first { DesignPart(.observer($0), in: stack) == part }
    guard let index else { return nil }
    let steps = stack.observers[index].steps
    if steps.count == 1 { return steps.first }
    let isNote = { (step: Int) in steps[step].step.onlyKeepsNote }
    let suspects = steps.indices.filter { !isNote($0) } + steps.indices.filter(isNote)
    let needed = suspects.first { step in
      var changed = program
      changed.stack.observers[index].steps.remove(at: step)
      return !fails(changed, as: target)
    }
    return needed.map { steps[$0] }
  }

  private func partAlone(
    of target: FailureSignature, _ cause: Cause?, in program: Program
  ) -> DesignPart? {
    let shown = target.detail?.part
    guard let cause, configuration.stack != nil else { return shown }
    let stack = program.stack
    if cause.isOfPart, let taker = takerOfStore(of: target, in: program) {
      return DesignPart(taker, in: stack)
    }
    switch cause {
    case .observer, .entryPoint:
      if cause == .entryPoint || shown?.isObserver == true { return shown }
      let index = stack.observersByWeight.first { index in
        var changed = program
        changed.stack.observers.remove(at: index)
        return !fails(changed, as: target)
      }
      return index.flatMap { DesignPart(.observer($0), in: stack) } ?? shown
    case .design, .interleaving:
      if target.kind.invariant == .MergedUpdatesAreNotLost,
        let merger = author(of: \.merges, neededFor: target, in: program)
      {
        return DesignPart(merger, in: stack)
      }
      // It makes no other failure which part saves second.
      return target.kind.invariant == .SavesDoNotCross ? nil : shown
    default: return shown
    }
  }

  /// Of a step that does not find its object: the part that takes the store.
  private func takerOfStore(of target: FailureSignature, in program: Program) -> Author? {
    target.kind.invariant == .StepsFindTheirObjects
      ? author(of: \.takesStore, neededFor: target, in: program) : nil
  }

  /// The first part of the design without whose steps of this sort the failure does not happen.
  private func author(
    of isSuspect: (Step) -> Bool, neededFor target: FailureSignature, in program: Program
  ) -> Author? {
    program.stack.authors.first { author in
      var changed = program
      switch author {
      case .observer(let index):
        changed.stack.observers[index].steps = program.stack.observers[index].steps.compactMap {
          $0.without(isSuspect)
        }
      case .entryPoint(let id):
        changed.stack.entryPoints[id.index].steps = program.stack.entryPoints[id.index].steps
          .compactMap { $0.without(isSuspect) }
      case .program: return false
      }
      return changed.stack != program.stack && !fails(changed, as: target)
    }
  }
}

extension Stack {
  /// Its observers and entry points.
  fileprivate var authors: [Author] {
    observers.indices.map(Author.observer)
      + entryPoints.indices.map { .entryPoint(EntryPointID($0)) }
  }

  /// Whether a part only brings to others what there is: it saves, and does nothing else that
  /// contexts show.
  fileprivate func onlySaves(_ author: Author) -> Bool {
    let steps: [AddressedStep]
    switch author {
    case .observer(let index): steps = observers[index].steps
    case .entryPoint(let id): steps = entryPoints[id.index].steps
    case .program: return false
    }
    return steps.allSatisfy { step in
      !step.contains { inner in
        if case .call(let id) = inner.step { return !onlySaves(.entryPoint(id)) }
        return !inner.step.leavesContextsAsTheyAre
      }
    }
  }

  /// The indices of its observers: those first that change what a context shows, then those that
  /// save. One that only keeps IDs, or raises a flag, is behind what another does with them.
  fileprivate var observersByWeight: [Int] {
    func weight(_ observer: Observer) -> Int {
      func has(_ matches: (Step) -> Bool) -> Bool {
        observer.steps.contains { step in step.contains { matches($0.step) } }
      }
      let changes = has { step in
        if case .forEach = step { true } else { step.merges || step == .refreshAllObjects }
      }
      return changes ? 0 : has { $0 == .save || $0.isCall } ? 1 : 2
    }
    return observers.indices.sorted { a, b in
      (weight(observers[a]), a) < (weight(observers[b]), b)
    }
  }
}

extension DesignPart {
  fileprivate var isObserver: Bool { if case .observer = self { true } else { false } }
}

extension Step {
  fileprivate var takesStore: Bool {
    switch self {
    case .removeStore, .destroyStore: true
    default: false
    }
  }

  /// Whether it saves, or has to do with where and when other steps are taken, or with what the
  /// app keeps beside its contexts.
  fileprivate var leavesContextsAsTheyAre: Bool {
    switch self {
    case .save, .hasChanges, .obtainPermanentIDs, .discard, .perform, .performAndWait, .when,
      .trying,
      .async, .sync, .setFlag, .remember, .forget, .enter, .leave, .wait, .notify, .sleep:
      true
    default: false
    }
  }
}
