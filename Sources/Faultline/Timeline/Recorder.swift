import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Takes down a run turn by turn, for pictures and traces. Part of a `Session` only where somebody
/// asks: it looks at every registered instance after each action.
struct Recorder {
  /// What an instance, or a row, looks like.
  struct Sight: Hashable {
    let view: InstanceView
    /// Of the row that the instance was loaded or saved with, or of the row itself; 0 for none.
    let version: Int
  }

  /// Where objects are seen.
  enum Place: Hashable {
    case context(ContextID)
    case store(StoreID)
  }

  /// One turn of one lane.
  struct Turn {
    let lane: LaneID
    /// Virtual time, in milliseconds.
    let time: Int
    let progress: Progress
    /// How many steps have been performed, this one included.
    let step: Int
    let origin: World.Origin
    /// Steps that it began, the outer one first.
    let begun: [AddressedStep]
    /// The queue on which the lane is at work.
    let place: String
    /// What could be observed.
    let events: [Event]
    /// The queues on which the turn has put a block.
    let enqueuedOn: [QueueID]
    /// Whether it is the first, or the last, of a block that stood in line.
    let beginsBlock: Bool
    let endsBlock: Bool
    /// What the lane is in the middle of afterwards, outermost first.
    let deeds: [World.Deed]
    /// The queue that the lane waits for, and who has it.
    let wait: Wait?
    /// How many violations the run has shown by then.
    let violationCount: Int
    /// Places that look otherwise than before, with all that is there now.
    let sights: [(place: Place, sights: [Sight])]
  }

  struct Wait {
    let queue: QueueID
    let owner: LaneID?
  }

  private(set) var turns: [Turn] = []
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

  /// To be called after each turn; `unfinishedCount` is how many blocks were enqueued and had not run to
  /// their end before it.
  mutating func note(
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
      events = world.events
      sights = news(in: world)
    }
    turns.append(
      Turn(
        lane: lane, time: world.dispatcher.now.milliseconds, progress: progress, step: step,
        origin: world.origin(of: lane), begun: begun, place: world.place(of: lane), events: events,
        enqueuedOn: world.enqueuedOn, beginsBlock: beginsBlock, endsBlock: endsBlock,
        deeds: endsBlock ? [] : world.deeds(of: lane, submitted: submitted),
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
      world.view(of: context).map { view in
        Sight(view: view, version: world.inspect(exactly: view.id, in: context)?.version ?? 0)
      }
    case .store(let store):
      world.rows(of: store).map { row in
        let view = InstanceView(
          id: row.id, isFault: false, isInserted: false, isUpdated: false, isDeleted: false,
          values: row.values, collections: row.collections)
        return Sight(view: view, version: row.version)
      }
    }
  }
}
