import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Checks that at rest a realised object shows the values of its row, unless the object has unsaved
/// changes in its context or an ancestor.
///
/// Each context gets one violation, for the first outdated object. An object whose merged deletion
/// was rolled back is reported only if no other object is outdated. Objects that never had a row
/// are excluded. A child that read a discarded insertion is a case of
/// `RolledBackValuesAreNotLoaded`.
struct CopiesAtRest: InvariantCheck {
  static let invariants: [Invariant] = [.CopiesAtRestAreCurrent]
  static let signs: EventSigns = []

  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {
    let journal = notes.journal
    for context in world.stack.contextIDs where !world.stack[context].isHidden {
      var takenBack: Violation?
      for copy in comparableCopies(in: context, notes, world) {
        guard var violation = staleness(of: copy, in: context, journal, world) else { continue }
        if StackShape(world.stack).follows(context) { violation.site = .stack }
        violation.proof = proof(violation, journal, world)
        // A copy that a rollback restored does not show whether the context merged the change.
        let isTakenBack = violation.blameRollback(world)
        if isTakenBack, takenBack == nil { takenBack = violation }
        if isTakenBack { continue }
        found.append(violation)
        takenBack = nil
        break
      }
      if let takenBack { found.append(takenBack) }
    }
  }
}

/// Returns the realised objects of a context that should show their rows: objects that have had a
/// row, and have no unsaved changes in the context or an ancestor.
///
/// Rows of a removed store are unreachable, so their objects are left out (PS-07).
func comparableCopies(
  in context: ContextID, _ notes: RunNotes, _ world: World
) -> some Sequence<ObjectGraph.Inspection> {
  world.graph.registeredIDs(in: context).lazy.compactMap { id in
    guard let copy = world.graph.inspect(exactly: id, in: context), !copy.view.isFault,
      !copy.isUnsaved, notes.rows.contains(id, in: world),
      world.graph.isReachable(world.graph.permanentID(of: id), from: context),
      !isUnsaved(id, above: context, in: world)
    else { return nil }
    return copy
  }
}

extension Violation {
  /// Blames the program if its rollback restored the outdated copy. Returns a Boolean value that
  /// indicates whether a rollback restored the copy.
  @discardableResult mutating func blameRollback(_ world: World) -> Bool {
    guard proof.contains(where: { $0.operation == .rollsBack }) else { return false }
    if let context, !world.stack.rollsBack(context) { ways = .programsRollback }
    return true
  }
}

extension Stack {
  /// Returns a Boolean value that indicates whether an entry point or an observer rolls the context
  /// back.
  fileprivate func rollsBack(_ context: ContextID) -> Bool {
    let rollback = AddressedStep(context, .rollback)
    return ownSteps.contains { $0.contains { $0 == rollback } }
  }
}

extension ObjectGraph.Inspection {
  /// A Boolean value that indicates whether the next save of the context inserts, updates or
  /// deletes the object.
  var isUnsaved: Bool { isPendingDeletion || view.isInserted || view.isUpdated }
}

private func isUnsaved(_ id: ObjectID, above context: ContextID, in world: World) -> Bool {
  var above = world.graph.parent(of: context)
  while let ancestor = above {
    if world.graph.inspect(id, in: ancestor)?.isUnsaved == true { return true }
    above = world.graph.parent(of: ancestor)
  }
  return false
}

/// Returns the violation of an outdated object, or `nil` if it shows the values of its row.
private func staleness(
  of copy: ObjectGraph.Inspection, in context: ContextID, _ journal: Journal, _ world: World
) -> Violation? {
  let id = world.graph.permanentID(of: copy.view.id)
  guard let stored = world.graph.storedValues(of: id) else {
    return Violation(.CopiesAtRestAreCurrent, in: context, object: copy.view.id)
  }
  for property in world.model[id.entity].storedAttributeIDs
  where !world.graph.isWrittenByHooks(property, of: id.entity) {
    let slot = world.graph.slot(of: property, in: id.entity)
    // The context never received a value that a primitive setter wrote (CT-06).
    if stored[slot] != copy.view.values[slot],
      copy.baseValue(of: property, in: world.graph) == copy.view.values[slot],
      wasStored(copy.view.values[slot], of: property, id, journal, world)
    {
      return Violation(
        .CopiesAtRestAreCurrent, in: context, object: copy.view.id, property: property,
        values: [stored[slot], copy.view.values[slot]])
    }
  }
  return nil
}

/// Returns a Boolean value that indicates whether the row ever had the value. A value that an
/// ancestor had and discarded is an aborted read instead.
private func wasStored(
  _ value: Value, of property: PropertyID, _ id: ObjectID, _ journal: Journal, _ world: World
) -> Bool {
  if world.graph.isDefault(value, of: property, in: id.entity) { return true }
  let object = world.lifelongID(id)
  return journal.entries.contains { entry in
    let line = entry.witness
    guard line.object == object, line.property == property else { return false }
    return line.operation == .saves(value, to: nil) || line.operation == .batchSets(value)
  }
}

/// Returns the proof of an outdated copy: the line at which the context read the value, and the
/// save that it missed.
func proof(_ violation: Violation, _ journal: Journal, _ world: World) -> [ProofLine] {
  guard let context = violation.context, let id = violation.object else { return [] }
  let object = world.lifelongID(id)
  guard let property = violation.property, let stored = violation.values.first,
    let shown = violation.values.last
  else {
    let end = journal.last { line in
      guard line.object == object else { return false }
      switch line.operation {
      case .deletes, .batchDeletes: return true
      default: return false
      }
    }
    // A rollback takes back a merged deletion (NT-15, FL-10).
    let rollback = journal.last { $0.context == context && $0.operation == .rollsBack }
    let isLater = rollback.map { $0 > end ?? 0 } ?? false
    return journal.lines([end, isLater ? rollback : nil])
      + [ProofLine(.isStored(nil), of: object)]
  }
  let save = journal.last { line in
    line.object == object && line.property == property
      && (line.operation == .saves(stored, to: nil) || line.operation == .batchSets(stored))
  }
  let sight = journal.sight(of: shown, object, property, in: [context], world)
  return [sight].compactMap(\.self) + journal.lines([save]) + [
    ProofLine(.isStored(stored), of: object, property)
  ]
}
