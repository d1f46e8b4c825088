import Determinism
import SimulatedDispatch
package import Vocabulary

/// An entry of a lane's stack. The stack completely describes the lane's unfinished work, so a
/// world can be copied, compared and continued at any point.
///
/// Each turn replaces a frame with another one. Copies share the parts that stay the same.
package enum Frame: Hashable, Sendable {
  case block(Block)
  /// A `performAndWait`, which takes the queue, runs the block on top, and releases the queue.
  case wait(Block, hasQueue: Bool)
  case operation(Operation)
  case delivery(Delivery)
  /// An app's code, by number. Its next step is known only when the code takes it.
  case code(Int)

  /// Steps that run one after another on the queue of a context or on a queue from `Stack.queues`.
  @dynamicMemberLookup package struct Block: Hashable, Sendable {
    private let plan: Shared<Plan>
    /// The step that comes next.
    var next = 0

    init(_ plan: Plan) { self.plan = Shared(plan) }

    package subscript<Part>(dynamicMember part: KeyPath<Plan, Part>) -> Part {
      plan.value[keyPath: part]
    }
  }

  /// The steps of a block, and the queue and context in which they run.
  package struct Plan: Hashable, Sendable {
    var queue: QueueID
    /// The context of the block, or `nil` on an app-defined queue, where each step names its
    /// context.
    var context: ContextID?
    var steps: [AddressedStep]
    /// A Boolean value that indicates whether this is a `perform` block. Its pending changes are
    /// processed at its end (CC-01).
    var isEvent = false
    /// The number of the DidSave to which `mergeChanges delivered` refers.
    var delivered: Int? = nil
    /// A Boolean value that indicates whether this is a `directly` block. Its steps run on the lane
    /// without taking a queue (CC-12).
    var isDirect = false
    /// A Boolean value that indicates whether the block submits a step of the program. Other lanes
    /// may run before it. The block ends when the step begins.
    var isSubmission = false
    /// The author of the steps. Blocks that the steps enqueue, call or wait for have the same
    /// author.
    var author = Author.program
    /// A Boolean value that indicates whether the block keeps no context alive. A background task
    /// has its own context. A `discard` in a block is the step that releases a context.
    var holdsNoContext = false
    /// The blocks that an error of a step ends.
    var errorScope = ErrorScope.surrounding
    /// The number of entry-point calls begun when the block was made, if `World.notesWrites` is
    /// set.
    var callCount = 0
  }

  /// The blocks that an error of a step ends. §throw.2
  package enum ErrorScope: Hashable, Sendable {
    /// Ends this block, and the surrounding block if the lane runs that block too.
    case surrounding
    /// Ends this block and the blocks inside it, as a `try` does.
    case block
    /// Ends only the failed step, as a called entry point does.
    case step
  }

  /// A frame that performs one action. The frame takes the queues that the action needs, and ends
  /// after the observers of the action.
  @dynamicMemberLookup package struct Operation: Hashable, Sendable {
    private let work: Shared<Work>
    /// The number of needed queues that the lane has requested.
    var takenCount = 0
    var isPerformed = false
    /// A Boolean value that indicates whether a save continues with its next phase.
    var continues = true

    init(_ work: Work) { self.work = Shared(work) }

    // Read in place, because `action.context` copies the action.

    var context: ContextID { work.value.action.context }
    var isMerge: Bool { if case .merge = work.value.action { true } else { false } }
    /// True for the phases of a save before its commit.
    var beginsSave: Bool {
      switch work.value.action {
      case .step(_, .flush), .step(_, .willSave): true
      default: false
      }
    }

    package subscript<Part>(dynamicMember part: KeyPath<Work, Part>) -> Part {
      work.value[keyPath: part]
    }
  }

  /// The action of an operation, and the reach that decides its queues.
  package struct Work: Hashable, Sendable {
    var action: Action
    /// The levels above the context whose queues the action needs.
    var reach: Reach
    /// The author of the step if no block names the author.
    var author = Author.program
    /// A Boolean value that indicates whether a save ends after this phase. Code requests each
    /// phase itself.
    var isOnePhase = false
  }

  /// Observers still to be called, in order.
  package struct Delivery: Hashable, Sendable {
    enum Call: Hashable, Sendable {
      /// A call of an observer, by index in the stack's observers.
      case observer(Int, delivered: Int?)
      /// The end of all calls. The notifications no longer hold objects of the context.
      case end(ContextID)
    }

    var calls: [Call]
  }
}

/// A value that is the same from turn to turn. A copy only counts one reference.
final class Shared<Value: Hashable & Sendable>: Hashable, Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func == (a: Shared, b: Shared) -> Bool { a === b || a.value == b.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// The outcome of one turn of a lane.
package enum Progress: Hashable, Sendable {
  /// The lane performed an action. `ActionResult.events` lists its observable effects.
  case performed(Action)
  /// The lane advanced without touching a context.
  case moved
  /// The lane waits, or is stuck permanently.
  case blocked
}

/// The queues of a stack. §queues
struct Queues: Hashable {
  var main = QueueID(index: 0)
  /// The queues, indexed by context.
  var ofContexts: [QueueID] = []
  /// The locks, indexed by coordinator. No block is ever enqueued on a lock.
  var ofCoordinators: [QueueID] = []
  /// The queues of `Stack.queues`, in order.
  var ofApp: [QueueID] = []
  /// The queues that represent groups, indexed by group. Lanes and blocks that wait for a group
  /// wait in its line.
  var ofGroups: [QueueID] = []
  /// The queues above each context, indexed by context.
  var aboveContexts: [Above] = []
  /// The thread that submits the program's steps.
  var driver = LaneID(index: 0)
  /// The number of enqueued blocks, and the number of finished blocks.
  var enqueuedCount = 0
  var finishedCount = 0

  /// The queues above a context, which an action takes if it reaches the store.
  struct Above: Hashable {
    /// The queues, nearest first, ending with the coordinator's lock. The main queue may occur
    /// twice.
    let all: [QueueID]
    /// The only queue needed to reach no further than the parent, or the coordinator.
    let nearest: [QueueID]
    let set: QueueSet

    init(_ all: [QueueID]) {
      self.all = all
      nearest = Array(all.prefix(1))
      set = all.reduce(into: QueueSet()) { $0.insert($1) }
    }
  }
}
