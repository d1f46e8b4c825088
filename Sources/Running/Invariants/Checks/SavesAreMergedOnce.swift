import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finds merges that bring nothing: a second merge of a save, a merge of the context's own save, or
/// a merge of a child's save, whose changes the context has (SV-02). Each merge refreshes objects
/// and notifies lists and observers once more. Merges by the program do not count.
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
    let isOwn = world.graph.had(changesOf: number, in: context)
    var isReported = false
    for object in objects {
      let telling = Telling(number: number, object: object)
      let isFirst = tellings[context.index].insert(telling).inserted
      if isFirst && !isOwn || isReported { continue }
      isReported = true
      var violation = Violation(.SavesAreMergedOnce, in: context, object: object)
      let saver = world.graph.poster(of: number)
      violation.otherContext = saver
      if isOwn {
        violation.site = .stack
        violation.detail =
          saver == context ? "its own save" : "its child \(world.stack[saver].name)'s save"
      }
      func merge(before end: Int?) -> Int? {
        journal.last(before: end) { line in
          guard line.context == context, line.object == object else { return false }
          switch line.operation {
          case .merges, .mergesHistory: return true
          default: return false
          }
        }
      }
      let last = merge(before: nil)
      let before =
        isOwn
        ? journal.last { line in
          guard line.context == saver, line.object == object else { return false }
          if case .saves = line.operation { return true }
          return false
        } : last.flatMap { merge(before: $0) }
      violation.proof = journal.lines([before, last])
      found.append(violation)
    }
  }
}
