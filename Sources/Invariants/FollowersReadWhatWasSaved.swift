import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A program that reads a context which merges what others save, between the save and its merge.
/// What the context, or one above it, has changed itself is no stale value.
func checkReads(
  _ moment: Moment, _ followers: Followers, _ journal: Journal, in world: World,
  _ found: inout [Violation]
) {
  guard let step = moment.whole, case .get(let name, let property) = step.step,
    followers.contains(step.context), !moment.author.isDesign, !world.hasFailed,
    case .value(let shown)? = world.events.last,
    let id = world.heldID(step.context, name),
    let attribute = world.model[id.entity][property].attribute, !attribute.isTransient,
    !world.isWrittenByHooks(property, of: id.entity),
    !world.isInaccessible(name, in: step.context),
    let instance = world.inspect(exactly: id, in: step.context), !instance.isPendingDeletion,
    !instance.isChanged(property),
    world.stack.chain(from: step.context).dropFirst().allSatisfy({ ancestor in
      world.inspect(id, in: ancestor)?.isChanged(property) != true
    }),
    let stored = world.storedValues(of: id)?[world.slot(of: property, in: id.entity)],
    stored != shown
  else { return }
  var violation = Violation(
    .FollowersReadWhatWasSaved, in: step.context, object: id, property: property,
    values: [stored, shown])
  let object = world.lifelongID(id)
  let save = journal.last { line in
    line.object == object && line.property == property
      && (line.operation == .saves(stored, to: nil) || line.operation == .batchSets(stored))
  }
  violation.proof = journal.lines([save, journal.count - 1])
  found.append(violation)
}
