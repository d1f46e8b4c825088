import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Checks the promises about contexts.
///
/// `view shows the store at rest` promises that the realised objects of the context have the
/// stored attributes and to-one relationships. Its lists show what a fetch would return.
/// Objects with unsaved changes in the context or an ancestor do not count, and neither do
/// properties that hooks or primitive setters wrote.
///
/// `no objectsDidChange in view twice for one change` promises that merges and refreshes by the
/// design announce an object at most once for each change. A change is a save by another context
/// that names the object, or any change in the context or an ancestor. Notifications of the
/// context's own changes do not count. A notification at the end of an event counts if the design
/// has refreshed the context since the last notification, and no program has.
struct KeptContextPromises: InvariantCheck {
  static let invariants: [Invariant] = [.ContextsKeepTheirPromises]

  let isIdle: Bool
  /// The numbers of changes that each context may still announce, indexed by context and by the
  /// lifelong IDs of objects.
  private var changeCounts: [[ObjectID: Int]]
  /// The contexts in which a program has refreshed or merged since their last notification.
  private var touched: Set<ContextID> = []
  /// The contexts in which the design has refreshed objects since their last notification.
  private var refreshedByDesign: Set<ContextID> = []
  private var trials = PromiseTrials()

  var testedPromises: [String] { trials.promises }

  init(_ world: World) {
    isIdle = world.stack.contextPromises.isEmpty
    changeCounts = Array(repeating: [:], count: isIdle ? 0 : world.stack.contexts.count)
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    if moment.kind == .kill { return forgetAll() }
    for promise in world.stack.contextPromises {
      let context = promise.context
      switch promise.statement {
      case .showsStore:
        // Another context has to have saved something.
        if let committed = moment.committed, committed != context,
          !world.graph.registeredIDs(in: context).isEmpty
        {
          trials.note(promise.text)
        }
      case .announcesOnce:
        noteChanges(for: context, moment, world)
        for case .objectsDidChange(context, let sets) in world.graph.result.events {
          note(sets, promise, moment, notes.journal, world, &found)
          touched.remove(context)
          refreshedByDesign.remove(context)
        }
      }
    }
  }

  private mutating func forgetAll() {
    for index in changeCounts.indices { changeCounts[index] = [:] }
    (touched, refreshedByDesign) = ([], [])
  }

  /// Notes what the context may announce after the action.
  private mutating func noteChanges(
    for context: ContextID, _ moment: Moment, _ world: World
  ) {
    if moment.context != context {
      for sets in world.graph.result.events.compactMap({ announcedSets(of: $0, world) }) {
        for id in sets.inserted + sets.updated {
          changeCounts[context.index][world.lifelongID(id), default: 0] += 1
        }
      }
    }
    let changed =
      moment.committed.flatMap { world.graph.parent(of: $0) }
      ?? (moment.changesContext ? moment.context : nil)
    if let changed, world.graph.isAtOrBelow(changed, context) {
      changeCounts[context.index] = changeCounts[context.index].mapValues { $0 + 1 }
    }
    guard moment.context == context else { return }
    if moment.author.isDesign {
      if moment.refreshes { refreshedByDesign.insert(context) }
    } else if moment.origin == .program, moment.refreshes || moment.signs.contains(.merges) {
      touched.insert(context)
    }
  }

  /// Returns the changes that other contexts may announce after an event: those of a root's save,
  /// also of objects that the save does not write, or of a batch request. A child's save has
  /// changed its parent at the commit.
  private func announcedSets(of event: Event, _ world: World) -> ChangeSets? {
    switch event {
    case .didSave(let saver, let sets, _): world.graph.parent(of: saver) == nil ? sets : nil
    case .batched(let sets, _): sets
    default: nil
    }
  }

  /// Notes the objects of a notification. Reports the first refreshed one whose changes were all
  /// announced before.
  private mutating func note(
    _ sets: ChangeSets, _ promise: ContextPromise, _ moment: Moment, _ journal: Journal,
    _ world: World, _ found: inout [Violation]
  ) {
    let context = promise.context
    let isDesigns =
      (moment.author.isDesign || moment.origin == .automaticMerge
        || refreshedByDesign.contains(context)) && !touched.contains(context)
    for id in sets.inserted + sets.updated where !sets.refreshed.contains(id) {
      announce(world.lifelongID(id), in: context)
    }
    // A notification may name objects that the program refreshed long before it is posted.
    if !isDesigns { return }
    var isReported = false
    for id in sets.refreshed {
      let object = world.lifelongID(id)
      let count = announce(object, in: context)
      trials.note(promise.text)
      guard count == 0, !isReported else { continue }
      isReported = true
      var violation = Violation(
        .ContextsKeepTheirPromises, in: context, object: id,
        detail: "'\(promise.text)' is violated: nothing has changed since the context announced")
      violation.subject = .promise(promise.text)
      func arrival(before end: Int?) -> Int? {
        journal.last(before: end) { line in
          guard line.context == context else { return false }
          switch line.operation {
          case .merges, .mergesHistory: return line.object == object
          case .refreshes: return line.object == object || line.object == nil
          default: return false
          }
        }
      }
      let second = arrival(before: nil)
      violation.proof = journal.lines([second.flatMap { arrival(before: $0) }, second])
      found.append(violation)
    }
  }

  /// Counts an announcement. Returns the number of changes that were not announced before, or `nil`
  /// for the first announcement.
  @discardableResult
  private mutating func announce(_ object: ObjectID, in context: ContextID) -> Int? {
    let count = changeCounts[context.index][object]
    changeCounts[context.index][object] = max(0, (count ?? 1) - 1)
    return count
  }

  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {
    for promise in world.stack.contextPromises where promise.statement == .showsStore {
      if let violation =
        outdatedObject(of: promise, notes, world) ?? listViolation(of: promise, notes, world)
      {
        found.append(violation)
      }
    }
  }

  private func listViolation(
    of promise: ContextPromise, _ notes: RunNotes, _ world: World
  ) -> Violation? {
    for (index, declared) in world.stack.controllers.enumerated()
    where declared.context == promise.context {
      guard let list = outdatedList(of: ControllerID(index), notes, world) else { continue }
      var violation = Violation(
        .ContextsKeepTheirPromises, in: promise.context,
        detail: "'\(promise.text)' is violated: a fetch returns other objects than the list "
          + "'\(declared.name)' shows")
      violation.subject = .promise(promise.text)
      violation.proof = [
        ProofLine(.shows(list.shown), by: promise.context), ProofLine(.hasStored(list.stored)),
      ]
      return violation
    }
    return nil
  }

  private func outdatedObject(
    of promise: ContextPromise, _ notes: RunNotes, _ world: World
  ) -> Violation? {
    for copy in comparableCopies(in: promise.context, notes, world) {
      guard var violation = difference(of: copy, from: promise, world) else { continue }
      violation.subject = .promise(promise.text)
      violation.proof = proof(violation, notes.journal, world)
      violation.blameRollback(world)
      violation.values = []
      return violation
    }
    return nil
  }

  /// Returns a violation with the stored and the shown value, or `nil` if the object shows its row.
  private func difference(
    of copy: ObjectGraph.Inspection, from promise: ContextPromise, _ world: World
  ) -> Violation? {
    let id = world.graph.permanentID(of: copy.view.id)
    guard let stored = world.graph.storedValues(of: id) else {
      return Violation(
        .ContextsKeepTheirPromises, in: promise.context, object: copy.view.id,
        detail: "'\(promise.text)' is violated: the store no longer has")
    }
    for property in world.model[id.entity].propertyIDs {
      let declared = world.model[id.entity][property]
      if declared.isToMany || declared.attribute?.isTransient == true
        || world.graph.isWrittenByHooks(property, of: id.entity)
      {
        continue
      }
      let slot = world.graph.slot(of: property, in: id.entity)
      let (row, shown) = (stored[slot], copy.view.values[slot])
      if world.lifelong(row) != world.lifelong(shown),
        copy.baseValue(of: property, in: world.graph) == shown
      {
        return Violation(
          .ContextsKeepTheirPromises, in: promise.context, object: copy.view.id,
          property: property, values: [row, shown],
          detail: "'\(promise.text)' is violated: the store has another value of")
      }
    }
    return nil
  }
}

extension Moment {
  fileprivate var refreshes: Bool {
    if case .forEach(_, .refresh) = whole?.step { return true }
    return done?.traits.contains(.refreshes) == true
  }

  /// A Boolean value that indicates whether the action changes or discards unsaved changes of its
  /// context.
  fileprivate var changesContext: Bool {
    if whole?.step.changesObjects == true { return true }
    switch done {
    case .reset, .discard, .rollback: return true
    default: return false
    }
  }
}
