import SimulatedCoreData
import Vocabulary

/// Who owns the main queue asks no store for rows and writes none. Asked of stacks that say how long
/// that takes.
func checkStoreAccess(_ moment: Moment, in world: World, _ found: inout [Violation]) {
  guard world.stack.timing != Stack.Timing(), !world.storeAccess.isNone,
    world.ownsMainQueue(moment.lane)
  else { return }
  var violation = Violation(.MainQueueAsksNoStore, in: moment.action.context)
  violation.detail = world.name(of: moment.lane)
  violation.proof = [
    Witness(
      .asksStore(moment.action, world.storeAccess), by: moment.action.context, step: moment.step)
  ]
  found.append(violation)
}
