import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A save that fails by a conflict, in the program or in the design: what an app has to handle
/// wherever another context may have saved first. A save that meets the conflict of an earlier one
/// again says that it was not handled: the context has loaded no newer version, and no newer one
/// was saved. Where the context is thrown away or reset after that, it was handled; what would have
/// become of it is not known where a kill comes first. Equal values that must be unique are a
/// conflict if two contexts have set them; one context that sets them twice has made a mistake of
/// its own.
struct FailedSaves: InvariantCheck {
  static let invariants: [Invariant] = [.SavesMeetNoConflict, .ContextsCanSaveAgain]

  /// By context: what its latest failed save met.
  private var conflicts: [[Conflict]]
  /// By context: the first save that met a conflict again.
  private var repeated: [Violation?]

  init(contextCount: Int) {
    assert(contextCount > 0, "a stack without contexts")
    conflicts = Array(repeating: [], count: contextCount)
    repeated = Array(repeating: nil, count: contextCount)
  }

  /// Keeps back the saves that fail for good, until it is known what becomes of their contexts.
  mutating func hold(_ moment: Moment, in world: World, _ found: inout [Violation]) {
    // By number: a loop over violations copies them, and mostly there is none of these.
    guard found.indices.contains(where: { found[$0].invariant == .ContextsCanSaveAgain }) else {
      return
    }
    for var violation in found where violation.invariant == .ContextsCanSaveAgain {
      let context = moment.context.index
      violation.stepNumber = moment.step
      repeated[context] = repeated[context] ?? violation
    }
    found.removeAll { $0.invariant == .ContextsCanSaveAgain }
  }

  /// The failures of contexts that were kept.
  var held: [Violation] { repeated.compactMap(\.self) }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let journal = notes.journal
    switch moment.kind {
    case .kill:
      for index in conflicts.indices { (conflicts[index], repeated[index]) = ([], nil) }
    // Nothing of what was in conflict is left, unless children keep the context.
    case .discard, .reset:
      if moment.hasFailed, world.graph.result.events.contains(.nothing) { break }
      conflicts[moment.context.index] = []
      repeated[moment.context.index] = nil
    default: break
    }
    guard moment.hasFailed, case .step(let step, _) = moment.action, step.step == .save else {
      return
    }
    for case .failed(let failure) in world.graph.result.events {
      guard let code = failure.conflictCode else { continue }
      let context = step.context
      let met = Conflict.all(failure).filter {
        $0.isBetweenContexts(context, journal, in: world)
      }
      let known = conflicts[context.index]
      let again = met.first { $0.canRecur && known.contains($0) }
      guard let conflict = again ?? met.first else { continue }
      conflicts[context.index] = met
      var violation = Violation(
        again == nil ? .SavesMeetNoConflict : .ContextsCanSaveAgain, in: context,
        object: conflict.objects.first, detail: code.name)
      if moment.author.isDesign, again == nil { violation.site = .stack }
      let save = Action.step(AddressedStep(context, .save), .whole)
      violation.proof =
        journal.lines(conflict.origins(in: context, journal, world))
        + [ProofLine(.performs(save, milliseconds: 0), by: context, step: moment.step)]
      found.append(violation)
    }
  }

  /// What a save met of one object, or of the objects that are in each other's way.
  private struct Conflict: Hashable {
    /// Under the IDs that the failure has.
    let objects: [ObjectID]
    /// The version that the context has loaded, and the one that is there; of a conflict about
    /// unique values, nil.
    let versions: [Int]?
    /// The row that has the unique values already.
    let row: ObjectID?
    /// The properties that must be unique together.
    let constraint: [PropertyID]

    /// A parent has no versions: whether a child meets the same conflict once more is not known.
    var canRecur: Bool { versions != [0, 0] }

    /// Whether another context has to do with it. What was loaded when it had no row was asked for
    /// by an ID that meant nothing yet (ID-31).
    func isBetweenContexts(_ context: ContextID, _ journal: Journal, in world: World) -> Bool {
      if let versions { return versions[0] > 0 || versions[1] == 0 }
      let setters = sets(in: context, journal, world).map { journal.entries[$0].witness.context }
      return setters.contains { $0 != setters.first }
    }

    /// Where the objects, and the row, got the values that must be unique.
    func sets(in context: ContextID, _ journal: Journal, _ world: World) -> [Int] {
      guard let id = objects.first, let saved = world.graph.inspect(exactly: id, in: context) else {
        return []
      }
      var positions: [Int] = []
      for object in (objects + [row].compactMap(\.self)).map(world.lifelongID) {
        for property in constraint {
          let value = saved.view.values[world.graph.slot(of: property, in: id.entity)]
          let position = journal.last { line in
            line.object == object && line.property == property
              && (line.operation == .sets(value) || line.operation == .batchSets(value))
          }
          if let position { positions.append(position) }
        }
      }
      return positions
    }

    /// What this context changed of the object, and the save that was first; or what made objects
    /// equal.
    func origins(in context: ContextID, _ journal: Journal, _ world: World) -> [Int?] {
      if versions == nil { return sets(in: context, journal, world) }
      let object = objects.first.map(world.lifelongID)
      let change = journal.last { line in
        guard line.object == object, line.context == context else { return false }
        switch line.operation {
        case .sets, .deletes: return true
        default: return false
        }
      }
      let other = journal.last { line in
        guard line.object == object, line.context != context else { return false }
        switch line.operation {
        case .saves(_, to: nil), .deletes, .batchSets, .batchDeletes: return true
        default: return false
        }
      }
      return [change, other]
    }

    static func all(_ failure: Failure) -> [Conflict] {
      switch failure {
      case .mergeConflicts(let conflicts):
        conflicts.map {
          Conflict(
            objects: [$0.object], versions: [$0.oldVersion, $0.newVersion], row: nil,
            constraint: [])
        }
      case .constraintConflicts(let conflicts):
        conflicts.map {
          Conflict(
            objects: $0.objects, versions: nil, row: $0.databaseObject, constraint: $0.constraint)
        }
      default: []
      }
    }
  }
}

extension Failure {
  /// Nil if it is no conflict.
  fileprivate var conflictCode: ErrorCode? {
    switch self {
    case .mergeConflicts: .managedObjectMerge
    case .constraintConflicts: .managedObjectConstraintMerge
    default: nil
    }
  }
}
