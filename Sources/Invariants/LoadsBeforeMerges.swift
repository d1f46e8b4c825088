import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A program's loads of an old value, in a context that merges what others save or below one,
/// between the save and its merge. What was stale by a quirk or a row cache is then early besides:
/// the merge that would have prevented it is on its way. So it is told when that merge comes, or at
/// the end of the run if none does. A row cache is brought up to date by remote merges alone.
struct LoadsBeforeMerges: InvariantCheck {
  static let invariants: [Invariant] = [.LoadsShowTheNewest, .FollowersReadWhatWasSaved]

  private struct Load: Hashable {
    let violation: Violation
    let reader: ContextID
    /// From the reader up.
    let levels: [ContextID]
    /// Under its lifelong ID.
    let object: ObjectID
    /// How many DidSaves and batch results there were.
    let toldCount: Int

    var isOfRowCache: Bool { violation.site == .store }
  }

  private var loads: [Load] = []
  /// Those for which no merge can come any more.
  private var settled: [Violation] = []

  /// Reports the loads that did not wait for a merge which is there now, one for each object. Where
  /// the reader itself merges later, `ReadsBeforeMerges` tells what its program has read meanwhile.
  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let journal = notes.journal
    if loads.isEmpty { return }
    let shape = StackShape(world.stack)
    let isRemote = if case .mergeRemote = moment.action { true } else { false }
    for case .merged(let context, let number, let told) in world.graph.result.evidence {
      let objects = told.map { world.lifelongID($0) }
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
    // What was on its way is lost.
    if moment.kind == .kill {
      settled += loads.map(\.violation)
      loads = []
    }
  }

  /// Keeps back what a merge may still show to be early.
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

  /// The loads that nothing was merged for.
  var held: [Violation] { settled + loads.map(\.violation) }
}
