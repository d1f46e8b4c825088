import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finds reads of entry points that miss changes, because a block that saves these changes was
/// enqueued before the read and runs after it. Such an entry point does not read its own writes.
///
/// The changes must exist when the entry point reads, and the save by the same call must write
/// them. If the read has a predicate, only objects that it finds count. The changes decide which
/// objects the predicate would find later.
struct EarlyReads: InvariantCheck {
  static let invariants: [Invariant] = [.CallsReadWhatTheySave]

  private struct Read: Hashable {
    let entryPoint: EntryPointID
    let read: AddressedStep
    let saver: ContextID
    /// The lifelong IDs of the objects whose changes the read missed, in ID order.
    let missed: [ObjectID]
    let step: Int
  }

  /// The early reads of each entry point.
  private let table: [[EarlyRead]]
  private var reads: [Read] = []
  /// The contexts that each entry point has saved since its latest call.
  private var saved: [[ContextID]]
  private var callCount = 0

  var isIdle: Bool { table.allSatisfy(\.isEmpty) }

  init(_ stack: Stack) {
    table = stack.entryPoints.map { stack.earlyReads(of: $0) }
    saved = stack.entryPoints.map { _ in [] }
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    if moment.kind == .kill {
      reads = []
      saved = saved.map { _ in [] }
    }
    for call in world.calls[callCount...] {
      reads.removeAll { $0.entryPoint == call.entryPoint }
      saved[call.entryPoint.index] = []
    }
    callCount = world.calls.count
    guard case .entryPoint(let id) = moment.author, !moment.hasFailed else { return }
    if case .step(let step, .finish) = moment.action, moment.signs.contains(.saved) {
      report(step, by: id, moment.step, in: world, &found)
      saved[id.index].append(step.context)
    } else if let step = moment.whole {
      note(step, by: id, moment.step, in: world)
    }
  }

  private mutating func note(
    _ step: AddressedStep, by id: EntryPointID, _ number: Int, in world: World
  ) {
    for early in table[id.index]
    where early.read == step && !saved[id.index].contains(early.saver) {
      guard let request = step.request(in: world) else { continue }
      let results = world.graph.result.events.flatMap { event -> [ObjectID] in
        if case .objects(let ids) = event { ids.map { world.lifelongID($0) } } else { [] }
      }
      let missed = world.graph.registeredIDs(in: early.saver).filter {
        world.model.entity($0.entity, inherits: request.entity)
          && early.saver.hasUnsaved($0, in: world)
      }.map { world.lifelongID($0) }.filter {
        request.predicate.isEmpty && request.tree == nil || results.contains($0)
      }.sorted()
      guard !missed.isEmpty else { continue }
      reads.append(
        Read(entryPoint: id, read: step, saver: early.saver, missed: missed, step: number))
    }
  }

  private mutating func report(
    _ save: AddressedStep, by id: EntryPointID, _ number: Int, in world: World,
    _ found: inout [Violation]
  ) {
    var written: Set<ObjectID> = []
    for case .didSave(save.context, let sets, number: _) in world.graph.result.events {
      written.formUnion((sets.inserted + sets.updated + sets.deleted).map { world.lifelongID($0) })
    }
    for read in reads where read.entryPoint == id && read.saver == save.context {
      guard let object = read.missed.first(where: written.contains) else { continue }
      var violation = Violation(
        .CallsReadWhatTheySave, in: read.read.context, object: object)
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
