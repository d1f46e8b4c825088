import Determinism
import Invariants
import ObjectModel
import ReferenceModel
import SimulatedCoreData
import Vocabulary

extension DifferentialRun {
  /// Performs on the reference model the action that the engine performed. Then the events,
  /// instances and rows of both sides must be the same.
  mutating func compare(after action: Action) {
    let isFull = isTimeForFullComparison()
    guard comparesWithReference else {
      if isFull {
        invariants.lookAtEverything()
        fullComparison.noteFullComparison()
      }
      return
    }
    if let code = world.code, !code.calls.isEmpty {
      // Hooks may have used new texts.
      reference.adopt(world.model.symbols)
      reference.hookCalls = code.calls
    }
    reference.perform(action)
    if !reference.events.isSame(as: world.graph.result.events) {
      disagree(
        .events(expected: reference.events, actual: world.graph.result.events), after: action)
    } else if action.replacesContexts || isFull {
      compareEverything(after: action)
    } else {
      compareTouched(after: action)
    }
  }

  /// Compares both sides at the end of the run, unless an endless step, a deadlock or a
  /// disagreement ended it. Such a run stops in the middle of steps, where the two sides need not
  /// agree.
  mutating func compareAtEnd() {
    guard ending == nil || ending == .suspension else { return }
    if !world.waitsForResume, let expected = reference.awaitedMerges.first {
      disagree(.missingMerge(expected.context, expected.number), after: nil)
    }
    if ending == nil, let lane = unfinishedLane {
      disagree(.unfinished(world.name(of: lane)), after: nil)
    }
    compareEverything(after: nil)
  }

  /// Records the first difference only, because later differences follow from it.
  mutating func disagree(_ kind: Disagreement.Kind, after action: Action?) {
    guard disagreement == nil else { return }
    disagreement = Disagreement(action: action, stepNumber: stepCount, kind: kind)
    end(by: .disagreement)
  }

  /// Compares two optionals without `==`, which calls through a witness table.
  @inline(__always) private func agree<View: Equatable>(_ some: View?, _ other: View?) -> Bool {
    if let some, let other { return some == other }
    return some == nil && other == nil
  }

  /// Compares the objects that either side reports as touched. All other objects were equal before.
  private mutating func compareTouched(after action: Action) {
    let touched = world.graph.touchedContexts | reference.touchedContexts
    for index in 0..<world.graph.contextCount
    where touched & 1 << UInt64(index & 63) != 0 && !agreesOnTouched(in: ContextID(index)) {
      compareViews(of: ContextID(index), after: action)
    }
    guard world.graph.hasTouchedRows || reference.hasTouchedRows else { return }
    for index in 0..<world.graph.storeCount where !agreesOnTouchedRows(of: StoreID(index)) {
      compareRows(of: StoreID(index), after: action)
    }
  }

  private func agreesOnTouched(in context: ContextID) -> Bool {
    guard world.graph.instanceCount(of: context) == reference.instanceCount(of: context) else {
      return false
    }
    return agrees(on: world.graph.touched(in: context), reference.touched(in: context)) { id in
      reference.view(of: id, in: context).map { world.graph.shows($0, in: context) }
        ?? !world.graph.isRegistered(exactly: id, in: context)
    }
  }

  /// Returns a Boolean value that indicates whether everything that either side touched is the same
  /// on both. The two lists mostly name the same IDs in the same order, often several times.
  @inline(__always) private func agrees(
    on some: [ObjectID], _ others: [ObjectID], _ isSame: (ObjectID) -> Bool
  ) -> Bool {
    for (index, id) in some.enumerated() where index == 0 || some[index - 1] != id {
      if !isSame(id) { return false }
    }
    for (index, id) in others.enumerated() where index == 0 || others[index - 1] != id {
      // Searching a long list is slower than comparing the object again.
      let isKnown =
        index < some.count && some[index] == id || some.count <= 8 && some.contains(id)
      if !isKnown && !isSame(id) { return false }
    }
    return true
  }

  private func agreesOnTouchedRows(of store: StoreID) -> Bool {
    guard world.graph.rowCount(of: store) == reference.rowCount(of: store) else { return false }
    return agrees(on: world.graph.touchedRows(of: store), reference.touchedRows(of: store)) { id in
      agree(world.graph.row(id, of: store), reference.row(id, of: store))
    }
  }

  /// Returns a Boolean value that indicates whether to compare everything after this action.
  private mutating func isTimeForFullComparison() -> Bool {
    guard fullComparison.noteAction() else { return false }
    var count = 0
    for index in 0..<world.graph.contextCount {
      count += world.graph.instanceCount(of: ContextID(index))
    }
    for index in 0..<world.graph.storeCount { count += world.graph.rowCount(of: StoreID(index)) }
    return fullComparison.isDue(comparing: count)
  }

  private mutating func compareEverything(after action: Action?) {
    invariants.lookAtEverything()
    for index in 0..<world.graph.contextCount { compareViews(of: ContextID(index), after: action) }
    for index in 0..<world.graph.storeCount { compareRows(of: StoreID(index), after: action) }
    fullComparison.noteFullComparison()
  }

  private mutating func compareViews(of context: ContextID, after action: Action?) {
    if agrees(in: context) { return }
    let actual = world.graph.view(of: context)
    let expected = reference.view(of: context)
    if expected != actual {
      disagree(.views(context, expected: expected, actual: actual), after: action)
    }
  }

  /// Returns a Boolean value that indicates whether both sides have the same instances with the
  /// same contents.
  private func agrees(in context: ContextID) -> Bool {
    world.graph.instanceCount(of: context) == reference.instanceCount(of: context)
      && reference.shows(in: context) { world.graph.shows($0, in: context) }
  }

  /// Returns a Boolean value that indicates whether both sides have the same rows in a store.
  private func agrees(on store: StoreID) -> Bool {
    guard world.graph.rowCount(of: store) == reference.rowCount(of: store) else { return false }
    return reference.shows(of: store) { agree(world.graph.row($0.id, of: store), $0) }
  }

  private mutating func compareRows(of store: StoreID, after action: Action?) {
    if agrees(on: store) { return }
    let actual = world.graph.rows(of: store)
    let expected = reference.rows(of: store)
    if expected != actual {
      disagree(.rows(store, expected: expected, actual: actual), after: action)
    }
  }
}

extension Action {
  /// A Boolean value that indicates whether the action replaces every instance. Such an action
  /// reports no instance as touched.
  fileprivate var replacesContexts: Bool {
    if case .step(let step, .whole) = self, case .kill = step.step { return true }
    return false
  }
}
