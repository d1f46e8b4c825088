package import ObjectModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// Records a run turn by turn, for pictures and traces. Every registered instance is examined after
/// each action, so a `DifferentialRun` has a recorder only if the caller requests one.
package struct Recorder {
  /// The state of an instance or of a row.
  package struct Sight: Hashable {
    package let view: InstanceView
    /// The version of the row, or of the row that the instance was loaded or saved with. 0 for
    /// none.
    package let version: Int
    /// The properties of an instance whose values are not saved. Empty for a row.
    package var unsaved: [PropertyID] = []
  }

  /// A context, a store or a row cache, where objects are seen.
  package enum Place: Hashable {
    case context(ContextID)
    case store(StoreID)
    /// The row cache of a coordinator.
    case rowCache(CoordinatorID)
  }

  /// A turn of a lane.
  package struct Turn {
    package let lane: LaneID
    /// Virtual time, in milliseconds.
    package let time: Int
    package let progress: Progress
    /// The number of steps performed, including the step of this turn.
    package let step: Int
    package let origin: World.Origin
    /// The steps that the turn began, outermost first.
    package let begun: [AddressedStep]
    /// The queue on which the lane works.
    let place: String
    /// The observable events of the turn.
    package let events: [Event]
    /// The queues on which the turn enqueued a block.
    package let enqueuedOn: [QueueID]
    /// A Boolean value that indicates whether the turn is the first of an enqueued block.
    package let beginsBlock: Bool
    package let endsBlock: Bool
    /// The operations that the lane is in the middle of after the turn, outermost first.
    package let activities: [World.Activity]
    /// The queue that the lane waits for, and the lane that owns it.
    package let wait: Wait?
    /// The number of violations that the run has shown by then.
    package let violationCount: Int
    /// The places whose objects changed, with all of their objects after the turn.
    package let sights: [(place: Place, sights: [Sight])]
  }

  package struct Wait {
    package let queue: QueueID
    package let owner: LaneID?
  }

  package private(set) var turns: [Turn] = []
  private var latest: [(place: Place, sights: [Sight])]
  private var isInBlock: [Bool] = []
  /// A step that was submitted to the program's thread, which has not taken a turn since.
  private var handedOver: AddressedStep?

  init(_ world: World) {
    latest =
      world.stack.contextIDs.map { (.context($0), []) }
      + world.stack.stores.indices.map { (.store(StoreID($0)), []) }
      + world.stack.coordinators.indices.map { (.rowCache(CoordinatorID($0)), []) }
    isInBlock = Array(repeating: false, count: world.dispatcher.laneCount)
  }

  mutating func noteSubmission(_ step: AddressedStep) { handedOver = step }

  /// Records a turn. `unfinishedCount` is the number of unfinished blocks before the turn.
  package mutating func note(
    _ lane: LaneID, _ progress: Progress, unfinishedCount: Int, step: Int,
    submitted: AddressedStep?, violationCount: Int, in world: World
  ) {
    let isWorker = lane != world.driver
    var begun = [world.begunStep].compactMap(\.self)
    if !isWorker, let step = handedOver {
      if begun != [step] { begun.insert(step, at: 0) }
      handedOver = nil
    }
    let beginsBlock = isWorker && !isInBlock[lane.index]
    let endsBlock =
      isWorker && world.unfinishedBlockCount < unfinishedCount + world.enqueuedOn.count
    isInBlock[lane.index] = isWorker && !endsBlock
    var events: [Event] = []
    var sights: [(place: Place, sights: [Sight])] = []
    if case .performed(let action) = progress {
      // A kill ends everything that was begun.
      if case .step(let step, _) = action, step.step == .kill {
        isInBlock = isInBlock.map { _ in false }
      }
      events = world.graph.result.events
      sights = news(in: world)
    }
    turns.append(
      Turn(
        lane: lane, time: world.dispatcher.now.milliseconds, progress: progress, step: step,
        origin: world.origin(of: lane), begun: begun, place: world.place(of: lane), events: events,
        enqueuedOn: world.enqueuedOn, beginsBlock: beginsBlock, endsBlock: endsBlock,
        activities: endsBlock ? [] : world.activities(of: lane, submitted: submitted),
        wait: world.dispatcher.waits(of: lane).map {
          Wait(queue: $0, owner: world.dispatcher.owner(of: $0))
        },
        violationCount: violationCount, sights: sights))
  }

  private mutating func news(in world: World) -> [(place: Place, sights: [Sight])] {
    var news: [(place: Place, sights: [Sight])] = []
    for index in latest.indices {
      let sights = Recorder.sights(latest[index].place, in: world)
      if sights == latest[index].sights { continue }
      latest[index].sights = sights
      news.append(latest[index])
    }
    return news
  }

  private static func sights(_ place: Place, in world: World) -> [Sight] {
    switch place {
    case .context(let context):
      world.graph.view(of: context).map { view in
        let inspection = world.graph.inspect(exactly: view.id, in: context)
        let unsaved = world.model[view.id.entity].propertyIDs.filter { property in
          inspection?.isChanged(property) ?? false
        }
        return Sight(view: view, version: inspection?.version ?? 0, unsaved: unsaved)
      }
    case .store(let store): world.graph.rows(of: store).map(sight)
    case .rowCache(let coordinator): world.graph.cachedRows(of: coordinator).map(sight)
    }
  }

  private static func sight(of row: RowView) -> Sight {
    let view = InstanceView(
      id: row.id, isFault: false, isInserted: false, isUpdated: false, isDeleted: false,
      values: row.values, collections: row.collections)
    return Sight(view: view, version: row.version)
  }
}
