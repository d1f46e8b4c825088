import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finds reads of entry points that miss insertions or still show deletions, because a block that
/// saves them was enqueued before the read and runs after it. Such an entry point does not read its
/// own writes.
///
/// The change must exist when the entry point reads, and the same call must save it. A read with a
/// predicate misses no insertion, because the predicate may not match it. It shows a deletion if it
/// finds the object. Changed values do not count: a fetch does not refresh registered objects
/// (FE-24). Calls of an entry point that overlap are not judged.
struct EarlyReads: InvariantCheck {
  static let invariants: [Invariant] = [.CallsReadWhatTheySave]

  private enum Change: String {
    case insertion, deletion
  }

  private struct Read: Hashable {
    let entryPoint: EntryPointID
    let read: AddressedStep
    let saver: ContextID
    /// The lifelong ID of the first object whose change the read missed.
    let object: ObjectID
    let change: Change
    let step: Int
  }

  /// The early reads of each entry point.
  private let table: [[EarlyRead]]
  private var reads: [Read] = []
  /// The contexts that each entry point has saved since its latest call.
  private var saved: [[ContextID]]
  /// The number of calls of each entry point since it was last at rest.
  private var callCounts: [Int]
  private var knownCount = 0

  var isIdle: Bool { table.allSatisfy(\.isEmpty) }

  init(_ stack: Stack) {
    table = stack.entryPoints.map { stack.earlyReads(of: $0) }
    saved = stack.entryPoints.map { _ in [] }
    callCounts = stack.entryPoints.map { _ in 0 }
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    if moment.kind == .kill { reads = [] }
    noteCalls(in: world)
    guard case .entryPoint(let id) = moment.author, !moment.hasFailed else { return }
    if case .step(let step, .finish) = moment.action, moment.signs.contains(.saved) {
      report(step, by: id, moment.step, in: world, &found)
      saved[id.index].append(step.context)
    } else if let step = moment.whole, callCounts[id.index] == 1 {
      note(step, by: id, moment.step, in: world)
    }
  }

  private mutating func noteCalls(in world: World) {
    for call in world.calls[knownCount...] {
      let index = call.entryPoint.index
      if table[index].isEmpty { continue }
      reads.removeAll { $0.entryPoint == call.entryPoint }
      saved[index] = []
      callCounts[index] += 1
    }
    knownCount = world.calls.count
    for index in table.indices
    where callCounts[index] > 0 && !world.isAtWork(.entryPoint(EntryPointID(index))) {
      callCounts[index] = 0
    }
  }

  private mutating func note(
    _ step: AddressedStep, by id: EntryPointID, _ number: Int, in world: World
  ) {
    for early in table[id.index]
    where early.read == step && !saved[id.index].contains(early.saver) {
      guard let request = step.request(in: world),
        let missed = change(missedBy: request, early.saver, in: world)
      else { continue }
      reads.append(
        Read(
          entryPoint: id, read: step, saver: early.saver, object: world.lifelongID(missed.object),
          change: missed.change, step: number))
    }
  }

  /// Returns the first object of the request that the context has inserted or deleted without
  /// saving it, if the read, which was the last action, would have shown the change.
  private func change(
    missedBy request: FetchRequest, _ saver: ContextID, in world: World
  ) -> (object: ObjectID, change: Change)? {
    let isForAll =
      request.predicate.isEmpty && request.tree == nil && request.affectedStores == nil
      && request.fetchLimit == 0 && request.fetchOffset == 0 && request.includesSubentities
    let results = world.graph.result.events.flatMap { event -> [ObjectID] in
      switch event {
      case .objects(let ids): ids.map { world.lifelongID($0) }
      case .sections(_, let sections):
        sections.flatMap(\.objects).map { world.lifelongID($0) }
      default: []
      }
    }
    for id in world.graph.registeredIDs(in: saver)
    where world.model.entity(id.entity, inherits: request.entity)
      && saver.hasUnsaved(id, in: world)
    {
      guard let copy = world.graph.inspect(exactly: id, in: saver) else { continue }
      let isFound = results.contains(world.lifelongID(id))
      if copy.isPendingDeletion, isFound { return (id, .deletion) }
      if copy.view.isInserted, isForAll, !isFound { return (id, .insertion) }
    }
    return nil
  }

  private mutating func report(
    _ save: AddressedStep, by id: EntryPointID, _ number: Int, in world: World,
    _ found: inout [Violation]
  ) {
    var written: Set<ObjectID> = []
    for case .didSave(save.context, let sets, number: _) in world.graph.result.events {
      written.formUnion((sets.inserted + sets.deleted).map { world.lifelongID($0) })
    }
    for read in reads
    where read.entryPoint == id && read.saver == save.context && written.contains(read.object) {
      var violation = Violation(
        .CallsReadWhatTheySave, in: read.read.context, object: read.object,
        detail: read.change.rawValue)
      violation.otherContext = save.context
      violation.author = .entryPoint(id)
      violation.proof = [
        ProofLine(
          .performs(.step(read.read, .whole), milliseconds: 0), by: read.read.context,
          step: read.step),
        ProofLine(
          .performs(.step(save, .whole), milliseconds: 0), by: save.context, step: number),
      ]
      found.append(violation)
    }
    reads.removeAll { $0.entryPoint == id && $0.saver == save.context }
  }
}

extension AddressedStep {
  /// Returns the request that the step executes, or `nil` if it executes none.
  fileprivate func request(in world: World) -> FetchRequest? {
    switch step {
    case .fetch(let request, as: _), .count(let request): request
    case .performFetch(let controller): world.stack.controllers[controller.index].request
    default: nil
    }
  }
}
