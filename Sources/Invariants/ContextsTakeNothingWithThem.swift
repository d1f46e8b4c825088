import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A context that is given up has nothing unsaved in it: it goes without asking (CC-19). Nor
/// has one that an observer resets or rolls back while it is being edited.
func checkLosses(_ moment: Moment, in world: World, _ found: inout [Violation]) {
  guard !world.evidence.isEmpty, let step = moment.whole else { return }
  switch moment.kind {
  case .discard: break
  case .reset, .rollback:
    // The program's own says that it wants nothing of it.
    if moment.origin == .program { return }
  default: return
  }
  var violation = Violation(.ContextsTakeNothingWithThem, in: step.context)
  if moment.author.isDesign { violation.site = .stack }
  for case .lost(let context, let object, let loss) in world.evidence {
    var property: PropertyID?
    switch loss {
    case .value(let changed, _), .members(let changed): property = changed
    case .insertion, .deletion: property = nil
    }
    violation.object = violation.object ?? object
    violation.proof.append(
      ProofLine(
        .loses(loss), by: context, of: world.lifelongID(object), property, step: moment.step))
  }
  if !violation.proof.isEmpty { found.append(violation) }
}
