import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finds stale reads that happen after a save and before the merge that would have refreshed the
/// object.
///
/// Such loads are tracked in contexts that merge saves of other contexts, and in their descendants.
/// A load is reported when the pending merge arrives, or at the end of the run if no merge follows.
/// Only remote merges update a row cache.
struct LoadsBeforeMerges: InvariantCheck {
  static let invariants: [Invariant] = [.LoadsShowTheNewest, .FollowersReadWhatWasSaved]

  private struct Load: Hashable {
    let violation: Violation
    let reader: ContextID
    /// The contexts from the reader up.
    let levels: [ContextID]
    /// The object's lifelong ID.
    let object: ObjectID
    /// The number of DidSave notifications and batch results at the time of the load.
    let toldCount: Int

    var isOfRowCache: Bool { violation.site == .store }
  }

  private var loads: [Load] = []
  /// The violations of loads for which no merge can arrive.
  private var settled: [Violation] = []

  /// Reports reads that happened before the merge being performed, at most one for each object. If
  /// the reader itself merges later, `ReadsBeforeMerges` reports reads of its program instead.
  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let journal = notes.journal
    if loads.isEmpty { return }
    let shape = StackShape(world.stack)
    let isRemote = if case .mergeRemote = moment.action { true } else { false }
    for case .merged(let context, let number, let changed) in world.graph.result.evidence {
      let objects = changed.map { world.lifelongID($0) }
      func waits(_ load: Load) -> Bool {
        load.levels.contains(context) && number < load.toldCount && objects.contains(load.object)
          && (isRemote || !load.isOfRowCache)
      }
      var reported: [ObjectID] = []
      for load in loads
      where waits(load) && !shape.follows(load.reader) && !reported.contains(load.object) {
        reported.append(load.object)
        var violation = Violation(
          .FollowersReadWhatWasSaved, in: load.violation.context, object: load.violation.object,
          property: load.violation.property, values: load.violation.values)
        let merge = journal.last { line in
          guard line.context == context, line.object == load.object else { return false }
          if case .merges = line.operation { return true }
          return false
        }
        violation.proof = load.violation.proof + journal.lines([merge])
        found.append(violation)
      }
      loads.removeAll { waits($0) && ($0.reader == context || !shape.follows($0.reader)) }
    }
    // A kill loses all pending merges.
    if moment.kind == .kill {
      settled += loads.map(\.violation)
      loads = []
    }
  }

  /// Withholds violations that a later merge may show to be early reads.
  mutating func hold(_ moment: Moment, in world: World, _ found: inout [Violation]) {
    if found.isEmpty || moment.author.isDesign { return }
    found.removeAll { violation in
      guard violation.invariant == .LoadsShowTheNewest, let context = violation.context,
        let object = violation.object
      else { return false }
      let levels = world.stack.chain(from: context)
      guard levels.contains(where: StackShape(world.stack).follows) else { return false }
      var held = violation
      held.stepNumber = moment.step
      loads.append(
        Load(
          violation: held, reader: context, levels: levels, object: world.lifelongID(object),
          toldCount: world.graph.didSaveTotal))
      return true
    }
  }

  /// The loads for which no merge arrived.
  var held: [Violation] { settled + loads.map(\.violation) }
}
