package import ObjectModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// Takes down a run turn by turn, for pictures and traces. Part of a `DifferentialRun` only where
/// the caller asks for it: it looks at every registered instance after each action.
package struct Recorder {
  /// What an instance, or a row, looks like.
  package struct Sight: Hashable {
    package let view: InstanceView
    /// Of the row that the instance was loaded or saved with, or of the row itself; 0 for none.
    package let version: Int
  }

  /// Where objects are seen.
  package enum Place: Hashable {
    case context(ContextID)
    case store(StoreID)
  }

  /// One turn of one lane.
  package struct Turn {
    package let lane: LaneID
    /// Virtual time, in milliseconds.
    package let time: Int
    package let progress: Progress
    /// How many steps have been performed, this one included.
    package let step: Int
    package let origin: World.Origin
    /// Steps that it began, the outer one first.
    package let begun: [AddressedStep]
    /// The queue on which the lane is at work.
    let place: String
    /// What could be observed.
    package let events: [Event]
    /// The queues on which the turn has put a block.
    package let enqueuedOn: [QueueID]
    /// Whether it is the first, or the last, of a block that stood in line.
    package let beginsBlock: Bool
    package let endsBlock: Bool
    /// What the lane is in the middle of afterwards, outermost first.
    package let activities: [World.Activity]
    /// The queue that the lane waits for, and the lane that owns it.
    package let wait: Wait?
    /// How many violations the run has shown by then.
    package let violationCount: Int
    /// Places that look otherwise than before, with all that is there now.
    package let sights: [(place: Place, sights: [Sight])]
  }

  package struct Wait {
    package let queue: QueueID
    package let owner: LaneID?
  }

  package private(set) var turns: [Turn] = []
  private var latest: [(place: Place, sights: [Sight])]
  private var isInBlock: [Bool] = []
  /// A step that was handed to the driver, which has not taken a turn since.
  private var handedOver: AddressedStep?

  init(_ world: World) {
    latest =
      world.stack.contextIDs.map { (.context($0), []) }
      + world.stack.stores.indices.map { (.store(StoreID($0)), []) }
    isInBlock = Array(repeating: false, count: world.dispatcher.laneCount)
  }

  mutating func noteSubmission(_ step: AddressedStep) { handedOver = step }

  /// To be called after each turn; `unfinishedCount` is how many blocks were enqueued and had not
  /// run to their end before it.
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
      // After a kill nothing of what was begun goes on.
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
        Sight(view: view, version: world.graph.inspect(exactly: view.id, in: context)?.version ?? 0)
      }
    case .store(let store):
      world.graph.rows(of: store).map { row in
        let view = InstanceView(
          id: row.id, isFault: false, isInserted: false, isUpdated: false, isDeleted: false,
          values: row.values, collections: row.collections)
        return Sight(view: view, version: row.version)
      }
    }
  }
}
