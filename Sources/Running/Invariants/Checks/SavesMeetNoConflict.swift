import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finds saves that fail by a conflict, in the program or in the design. An app must handle
/// conflicts wherever another context may have saved first.
///
/// If a save meets the conflict of an earlier save again, the conflict was not handled. The context
/// has loaded no newer version, and none was saved. If the context is later discarded or reset, the
/// conflict was handled. If a kill comes first, the outcome is unknown.
///
/// Equal values that must be unique are a conflict if two contexts set them. If one context sets
/// both, the mistake is its own.
struct FailedSaves: InvariantCheck {
  static let invariants: [Invariant] = [.SavesMeetNoConflict, .ContextsCanSaveAgain]

  /// The conflicts of the latest failed save, indexed by context.
  private var conflicts: [[Conflict]]
  /// The first save that met a conflict again, indexed by context.
  private var repeated: [Violation?]

  init(contextCount: Int) {
    assert(contextCount > 0, "a stack without contexts")
    conflicts = Array(repeating: [], count: contextCount)
    repeated = Array(repeating: nil, count: contextCount)
  }

  /// Withholds saves that fail permanently until the fate of their contexts is known.
  mutating func hold(_ moment: Moment, in world: World, _ found: inout [Violation]) {
    // A loop over violations would copy them, and usually none of them is of this kind.
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

  /// The withheld violations, at most one for each context. A discard or reset of the context
  /// removes its violation. A kill removes all violations.
  var held: [Violation] { repeated.compactMap(\.self) }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let journal = notes.journal
    switch moment.kind {
    case .kill:
      for index in conflicts.indices { (conflicts[index], repeated[index]) = ([], nil) }
    // No object in conflict remains, unless children keep the context.
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
      violation.subject = .error(code)
      if moment.author.isDesign, again == nil { violation.site = .stack }
      let save = Action.step(AddressedStep(context, .save), .whole)
      violation.proof =
        journal.lines(conflict.origins(in: context, journal, world))
        + [ProofLine(.performs(save, milliseconds: 0), by: context, step: moment.step)]
      found.append(violation)
    }
  }

  /// A conflict of a save about one object, or about objects with equal unique values.
  private struct Conflict: Hashable {
    /// The IDs of the objects as in the failure.
    let objects: [ObjectID]
    /// The version that the context has loaded, and the present version. `nil` for a conflict about
    /// unique values.
    let versions: [Int]?
    /// The row that already has the unique values.
    let row: ObjectID?
    /// The properties that must be unique together.
    let constraint: [PropertyID]

    /// A Boolean value that indicates whether the conflict can be recognised when it recurs. A
    /// parent has no versions, so for children this is unknown.
    var canRecur: Bool { versions != [0, 0] }

    /// Returns a Boolean value that indicates whether another context is involved in the conflict.
    /// An object that was loaded without a row was looked up by an ID without meaning yet (ID-31).
    func isBetweenContexts(_ context: ContextID, _ journal: Journal, in world: World) -> Bool {
      if let versions { return versions[0] > 0 || versions[1] == 0 }
      let setters = sets(in: context, journal, world).map { journal.entries[$0].witness.context }
      return setters.contains { $0 != setters.first }
    }

    /// Returns the entries that set the unique values of the objects and the row.
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

    /// Returns the change in this context and the earlier save, or the entries that made values
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
  /// The error code of a conflict, or `nil` for other failures.
  fileprivate var conflictCode: ErrorCode? {
    switch self {
    case .mergeConflicts: .managedObjectMerge
    case .constraintConflicts: .managedObjectConstraintMerge
    default: nil
    }
  }
}
