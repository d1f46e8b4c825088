import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finds saves that a context merged twice. A context that merges automatically and also in an
/// observer refreshes each object twice, and notifies its lists and observers twice. Merges by the
/// program do not count.
struct MergedSaves: InvariantCheck {
  static let invariants: [Invariant] = [.SavesAreMergedOnce]

  private struct Telling: Hashable {
    /// The number of the DidSave notification or batch result.
    let number: Int
    let object: ObjectID
  }

  /// The merged objects, indexed by context.
  private var tellings: [Set<Telling>]

  init(contextCount: Int) {
    assert(contextCount > 0, "a stack without contexts")
    tellings = Array(repeating: [], count: contextCount)
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    if !world.graph.result.evidence.isEmpty, moment.origin != .program || moment.author.isDesign {
      for case .merged(let context, let number, let changed) in world.graph.result.evidence {
        note(
          changed.map { world.lifelongID($0) }, number, context, notes.journal, in: world, &found)
      }
    }
    switch moment.kind {
    case .reset, .discard: tellings[moment.context.index] = []
    case .kill: self = MergedSaves(contextCount: tellings.count)
    default: break
    }
  }

  /// Reports a merge once, however many objects it contains.
  private mutating func note(
    _ objects: [ObjectID], _ number: Int, _ context: ContextID, _ journal: Journal,
    in world: World, _ found: inout [Violation]
  ) {
    var isReported = false
    for object in objects {
      let telling = Telling(number: number, object: object)
      if tellings[context.index].insert(telling).inserted || isReported { continue }
      isReported = true
      var violation = Violation(.SavesAreMergedOnce, in: context, object: object)
      violation.otherContext = world.graph.poster(of: number)
      func merge(before end: Int?) -> Int? {
        journal.last(before: end) { line in
          guard line.context == context, line.object == object else { return false }
          switch line.operation {
          case .merges, .mergesHistory: return true
          default: return false
          }
        }
      }
      let second = merge(before: nil)
      violation.proof = journal.lines([second.flatMap { merge(before: $0) }, second])
      found.append(violation)
    }
  }
}
