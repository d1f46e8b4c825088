import Failures
import SimulatedCoreData
import Vocabulary

/// What is checked for designed stacks only.
struct DesignChecks {
  var units: UnitsOfWork
  var edits: EditsInProgress
  var promises: Promises
  var durability: Durability
  var mainQueue = MainQueueHolds()
  var requests: MainQueueRequests
  var failedSaves: FailedSaves
  var earlyReads = ReadsBeforeMerges()
  var earlyLoads = LoadsBeforeMerges()
  var halfDoneWork: HalfDoneWork
  var deletedRows = DeletedRows()
  var mergedSaves: MergedSaves
  var lookups = LookupsInVain()
  var losses: Losses
  let judgesCounts: Bool

  init(_ world: World, judgesCounts: Bool) {
    self.judgesCounts = judgesCounts
    let contextCount = world.stack.contexts.count
    units = UnitsOfWork(contextCount: contextCount)
    edits = EditsInProgress(contextCount: contextCount)
    promises = Promises(world.stack)
    durability = Durability(world)
    requests = MainQueueRequests(world.stack)
    failedSaves = FailedSaves(contextCount: contextCount)
    halfDoneWork = HalfDoneWork(contextCount: contextCount)
    mergedSaves = MergedSaves(contextCount: contextCount)
    losses = Losses(world.stack)
  }

  mutating func check(
    _ moment: Moment, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    lookups.follow(moment, in: world)
    units.check(moment, journal, in: world, &found)
    if judgesCounts { edits.checkCounts(moment, journal, in: world, &found) }
    edits.check(moment, journal, in: world, &found)
    promises.check(moment, journal, in: world, &found)
    durability.check(moment, journal, in: world, &found)
    mainQueue.note(moment, in: world)
    checkQueue(moment, in: world, &found)
    requests.check(moment, in: world, &found)
    losses.check(moment, in: world, &found)
    failedSaves.check(moment, journal, in: world, &found)
    checkErrors(moment, journal, lookups, in: world, &found)
    earlyReads.check(moment, journal, in: world, &found)
    earlyLoads.check(moment, journal, in: world, &found)
    halfDoneWork.check(moment, journal, in: world, &found)
    deletedRows.check(moment, journal, lookups, in: world, &found)
    mergedSaves.check(moment, journal, in: world, &found)
  }
}
