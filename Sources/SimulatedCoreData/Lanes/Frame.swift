import Determinism
import SimulatedDispatch
package import Vocabulary

/// What a lane is in the middle of. A lane's stack of frames says all of it, so a world can be
/// copied, compared and gone on with at any point.
///
/// Each turn takes a frame and puts another in its place; what stays the same meanwhile is shared.
package enum Frame: Hashable, Sendable {
  case block(Block)
  /// A `performAndWait`: takes the queue, runs the block on top, gives the queue back.
  case wait(Block, hasQueue: Bool)
  case operation(Operation)
  case delivery(Delivery)
  /// An app's code, by number: what it does next is known when it does it.
  case code(Int)

  /// Steps that run on a context's queue, or on one of the app's, one after the other.
  @dynamicMemberLookup package struct Block: Hashable, Sendable {
    private let plan: Shared<Plan>
    /// The step that comes next.
    var next = 0

    init(_ plan: Plan) { self.plan = Shared(plan) }

    package subscript<Part>(dynamicMember part: KeyPath<Plan, Part>) -> Part {
      plan.value[keyPath: part]
    }
  }

  /// What a block is to do, and where.
  package struct Plan: Hashable, Sendable {
    var queue: QueueID
    /// Nil on a queue of the app: each step there names its own context.
    var context: ContextID?
    var steps: [AddressedStep]
    /// A `perform` block: pending changes are processed at its end (CC-01).
    var isEvent = false
    /// The DidSave to which `mergeChanges delivered` refers.
    var delivered: Int? = nil
    /// A `directly` block: its steps run on the lane as it is (CC-12).
    var isDirect = false
    /// A step of the program that others may go before: it is over once the step has begun.
    var isSubmission = false
    /// The author of its steps; what they enqueue, call or wait for has the same author.
    var author = Author.program
    /// It holds no context that others let go of: a background task has one of its own, and a
    /// `discard` in a block is what lets go.
    var holdsNoContext = false
    /// What is passed over when one of its steps fails.
    var errorScope = ErrorScope.surrounding
    /// How many calls of entry points had begun when it was made, if `World.notesWrites`.
    var callCount = 0
  }

  /// The blocks that an error of a step ends. §throw.2
  package enum ErrorScope: Hashable, Sendable {
    /// To the block around this one, if the lane runs that, too.
    case surrounding
    /// The rest of this block is passed over, with the blocks inside: a `try`.
    case block
    /// No further than the step: an entry point that is called.
    case step
  }

  /// One action, from the queues that it needs to the observers that it wakes.
  @dynamicMemberLookup package struct Operation: Hashable, Sendable {
    private let work: Shared<Work>
    /// How many of the queues that it needs the lane has asked for.
    var takenCount = 0
    var isPerformed = false
    /// Whether a save goes on with its next phase.
    var continues = true

    init(_ work: Work) { self.work = Shared(work) }

    // Asked in place: `action.context` copies the action.

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

  /// The action of an operation, and the queues that it takes.
  package struct Work: Hashable, Sendable {
    var action: Action
    /// Which queues above the context have to be held.
    var reach: Reach
    /// The author of the step where no block says it.
    var author = Author.program
    /// A save ends after this phase: code asks for the next one itself.
    var isOnePhase = false
  }

  /// Observers still to be called, first one first.
  package struct Delivery: Hashable, Sendable {
    enum Call: Hashable, Sendable {
      /// By index in the stack's observers.
      case observer(Int, delivered: Int?)
      /// All have been called: what the notifications held of a context may go.
      case end(ContextID)
    }

    var calls: [Call]
  }
}

/// A value that is the same from turn to turn: to copy it is to count one reference.
final class Shared<Value: Hashable & Sendable>: Hashable, Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func == (a: Shared, b: Shared) -> Bool { a === b || a.value == b.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// The outcome of one turn of a lane.
package enum Progress: Hashable, Sendable {
  /// An action was performed; `ActionResult.events` says what could be observed.
  case performed(Action)
  /// The lane got on without touching any context.
  case moved
  /// The lane waits, or is stuck for good.
  case blocked
}

/// The queues of a stack. §queues
struct Queues: Hashable {
  var main = QueueID(index: 0)
  /// By context.
  var ofContexts: [QueueID] = []
  /// By coordinator: a lock, on which no block is ever enqueued.
  var ofCoordinators: [QueueID] = []
  /// Those of the app.
  var ofApp: [QueueID] = []
  /// By group of the app: what waits for the group stands in its line.
  var ofGroups: [QueueID] = []
  /// By context: what is above it.
  var aboveContexts: [Above] = []
  /// The thread that submits the program.
  var driver = LaneID(index: 0)
  /// Blocks that were enqueued, and blocks that ran to their end.
  var enqueuedCount = 0
  var finishedCount = 0

  /// The queues that an action takes which reaches the store.
  struct Above: Hashable {
    /// Nearest first, the coordinator's lock last; the main queue may be there twice.
    let all: [QueueID]
    /// What it takes to reach no further than the parent, or the coordinator.
    let nearest: [QueueID]
    let set: QueueSet

    init(_ all: [QueueID]) {
      self.all = all
      nearest = Array(all.prefix(1))
      set = all.reduce(into: QueueSet()) { $0.insert($1) }
    }
  }
}
