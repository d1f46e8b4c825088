import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Checks promises such as `delete keeps Folder.notes`: no step of the entry point changes the
/// property of an object that exists before and after the step. A fetch in its context shows the
/// property. Delete rules that follow from deletions by the design count as steps of the entry
/// point. Deletions by a program in the same context are the program's.
struct KeptProperties: InvariantCheck {
  static let invariants: [Invariant] = [.CallsKeepTheirPromises]

  private struct Kept: Hashable {
    let entryPoint: EntryPointID
    let text: String
    let entity: EntityID
    let properties: [PropertyID]
    /// The contexts in which the entry point takes steps.
    let contexts: [ContextID]
  }

  private let promises: [Kept]
  /// The contents before the next action, for each promise and each of its contexts.
  private var contents: [[PropertyContents]] = []
  /// The contexts with deletions by entry points, and by programs, whose delete rules may not have
  /// acted yet.
  private var designsDeleters: [ContextID] = []
  private var programsDeleters: [ContextID] = []
  private var trials = PromiseTrials()

  var isIdle: Bool { promises.isEmpty }

  var testedPromises: [String] { trials.promises }

  init(_ world: World) {
    promises = world.stack.entryPoints.indices.flatMap { index -> [Kept] in
      let entryPoint = world.stack.entryPoints[index]
      return entryPoint.promises.compactMap { promise in
        guard case .keeps(let entity, let properties) = promise.statement else { return nil }
        let contexts = world.stack.contextIDs.filter { context in
          entryPoint.steps.contains { $0.contains { $0.context == context } }
        }
        return Kept(
          entryPoint: EntryPointID(index), text: promise.text, entity: entity,
          properties: properties, contexts: contexts)
      }
    }
    look(in: world)
  }

  /// Notes the contents that the contexts see.
  private mutating func look(in world: World) {
    contents = promises.map { promise in
      promise.contexts.map {
        PropertyContents(of: promise.entity, promise.properties, seenFrom: $0, world)
      }
    }
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let earlier = contents
    noteDeletions(moment)
    look(in: world)
    if case .entryPoint(let id) = moment.author, isOwnChange(moment) {
      for (index, promise) in promises.enumerated() where promise.entryPoint == id {
        guard let place = promise.contexts.firstIndex(of: moment.context) else { continue }
        let (before, after) = (earlier[index][place], contents[index][place])
        if !before.isEmpty { trials.note(promise.text) }
        guard let change = before.firstChange(to: after) else { continue }
        found.append(violation(of: promise, change, moment, notes.journal, world))
      }
    }
    if moment.isEndOfDeletions {
      designsDeleters.removeAny { $0 == moment.context }
      programsDeleters.removeAny { $0 == moment.context }
    }
  }

  private mutating func noteDeletions(_ moment: Moment) {
    if moment.kind == .kill { (designsDeleters, programsDeleters) = ([], []) }
    guard let step = moment.whole?.step, !moment.hasFailed, step.isDeletion else { return }
    if moment.author.isDesign {
      designsDeleters.append(moment.context)
    } else {
      programsDeleters.append(moment.context)
    }
  }

  /// Returns a Boolean value that indicates whether changes of objects in this action are made by
  /// the action's author.
  private func isOwnChange(_ moment: Moment) -> Bool {
    if moment.isEndOfDeletions {
      return designsDeleters.contains(moment.context)
        && !programsDeleters.contains(moment.context)
    }
    return moment.whole?.step.changesObjects == true && !moment.hasFailed
  }

  private func violation(
    of promise: Kept, _ change: (object: ObjectID, property: PropertyID), _ moment: Moment,
    _ journal: Journal, _ world: World
  ) -> Violation {
    var violation = Violation(
      .CallsKeepTheirPromises, in: moment.context, object: change.object,
      property: change.property, detail: "'\(promise.text)' is violated: a call has changed")
    violation.subject = .promise(promise.text)
    violation.author = .entryPoint(promise.entryPoint)
    let earlier = journal.last { line in
      guard line.object == change.object, line.property == change.property else { return false }
      if case .sets = line.operation { return true }
      return false
    }
    let step = journal.last { line in
      guard line.context == moment.context else { return false }
      switch line.operation {
      case .deletes, .batchDeletes, .batchSets, .sets: return true
      default: return false
      }
    }
    violation.proof = journal.lines([earlier, step])
    return violation
  }
}

/// Properties of the objects that a fetch in a context would find, with its unsaved changes.
struct PropertyContents: Hashable {
  private enum Content: Hashable {
    case value(Value)
    /// The members of a to-many relationship in the order of their IDs.
    case members([ObjectID])
  }

  private struct Item: Hashable {
    /// The lifelong ID.
    let object: ObjectID
    let contents: [Content]
  }

  private let properties: [PropertyID]
  private var items: [Item] = []

  var isEmpty: Bool { items.isEmpty }

  init(
    of entity: EntityID, _ properties: [PropertyID], seenFrom context: ContextID, _ world: World
  ) {
    self.properties = properties
    let promised = PromisedObjects(world.graph, seenFrom: context)
    items = promised.objects(of: DataClaim(entity: entity, .count(.notEqual, -1))).map { id in
      Item(
        object: world.lifelongID(id),
        contents: properties.map { property in
          if let members = promised.members(of: property, of: id) {
            return .members(members.map(world.lifelongID).sorted())
          }
          return .value(world.lifelong(promised.value(of: property, of: id)))
        })
    }
  }

  /// Returns the first object that is in both and has other contents in `later`, with the property.
  func firstChange(
    to later: PropertyContents
  ) -> (object: ObjectID, property: PropertyID)? {
    for item in items {
      guard let now = later.items.first(where: { $0.object == item.object }) else { continue }
      for (index, property) in properties.enumerated()
      where item.contents[index] != now.contents[index] {
        return (item.object, property)
      }
    }
    return nil
  }
}

extension Moment {
  /// A Boolean value that indicates whether delete rules act in the action.
  fileprivate var isEndOfDeletions: Bool {
    switch action {
    case .endOfEvent, .step(_, .flush): true
    default: kind == .processPendingChanges
    }
  }
}

extension Step {
  fileprivate var isDeletion: Bool {
    switch self {
    case .delete, .forEach(_, .delete): true
    default: false
    }
  }
}
