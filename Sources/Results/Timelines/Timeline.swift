package import Failures
package import Vocabulary

/// A run in the form that a picture shows, with a column for each queue and the moments in order.
/// Texts use the names that the program gives.
package struct Timeline {
  /// A moment at which something happened on a queue.
  package struct Moment {
    package enum Kind: String {
      /// An action on a context.
      case action
      /// A step that arranges something, such as enqueuing a block, calling an entry point, or
      /// letting time pass.
      case call
      /// A lane waits for a queue.
      case wait
      /// A lane waits permanently.
      case deadlock
      /// All activity has ended, and a context shows an incorrect state.
      case rest
    }

    package var kind: Kind
    /// The number of the turn, from 0, which orders moments. Several phases of a save form one
    /// moment, at the turn of the commit.
    package var turn: Int
    /// The turn at which a wait ends, or nil if the wait lasts as long as the run.
    package var end: Int?
    /// The number of the lane that took the turn.
    package var lane = 0
    /// The number of steps performed so far, whether or not the moment has a step number.
    package var performedCount = 0
    /// The virtual time, in milliseconds.
    package var time: Int
    package var column: Int
    /// The number of the step in reports, which counts performed steps, or 0 if the moment is not a
    /// step.
    package var step: Int
    package var context: ContextID?
    /// The action without its context, such as `set n.title "a"`.
    package var text: String
    /// The text of a wait without the waiting step, such as `waits for sync`. A step that continues
    /// later has its own moment.
    package var wait: String? = nil
    /// The answers, such as `"a"`, `[n m]` or `failed …`.
    package var answers: [String] = []
    package var hasFailed = false
    /// All observable events, one line each.
    package var details: [String] = []
    package var origin: Origin
    /// The index of the block that contains the moment, or nil on the program's thread.
    package var block: Int?
    package var arrows: [Arrow] = []
    /// The changes of objects since the previous moment.
    package var changes: [Change] = []
    /// The indices of the violations that the moment revealed.
    package var violations: [Int] = []
  }

  package enum Origin: String {
    case program, observer
    case automaticMerge = "automatic merge"
  }

  /// A save or a merge, which carries changes from one place to another.
  package struct Arrow {
    package enum Kind: String {
      case save, merge
    }

    package var kind: Kind
    /// The moment at which the arrow begins, or nil if it begins at the moment that has the arrow.
    package var from: Int?
    /// The column at which the arrow ends, or nil if it ends at the moment that has the arrow.
    package var to: Int?
    /// The context or store that receives a save, as an index in `places`.
    package var place: Int?
    /// The changes that the arrow carries.
    package var carries: [Carried] = []
    /// The first value that the context keeps instead of a merged value, if any.
    package var kept: Carried?
  }

  /// A value, an insertion or a deletion that a save or a merge carries.
  package struct Carried: Hashable {
    package enum News: String {
      case value, insertion, deletion
    }

    /// The index in `objects`.
    package var object: Int
    package var news = News.value
    /// The name of the attribute, or an empty string for the whole object.
    package var attribute = ""
    package var value = ""
  }

  /// A change of an object's state at a place.
  package struct Change {
    /// The index in `places`.
    package var place: Int
    /// The index in `objects`.
    package var object: Int
    /// The state before the change, or nil if the object did not exist there.
    package var before: Look?
    /// The state after the change, or nil if the object no longer exists there.
    package var look: Look?
  }

  package struct Look: Hashable {
    /// The state `fault`, `inserted`, `updated` or `deleted`, or an empty string.
    package var state: String
    /// The version of the row, or 0 if the object has no row yet.
    package var version: Int
    /// All properties, in order. Empty for a fault.
    package var attributes: [Attribute]

    /// The values, such as `{title: "a"}`. Empty for a fault.
    package var values: String {
      if state == "fault" { return "" }
      return "{\(attributes.map { "\($0.name): \($0.value)" }.joined(separator: ", "))}"
    }

    package func value(of name: String) -> String? {
      attributes.first { $0.name == name }?.value
    }
  }

  /// A property with its value, as text.
  package struct Attribute: Hashable {
    package var name: String
    package var value: String
    /// A Boolean value that indicates whether a context has not saved the value.
    package var isUnsaved = false
  }

  /// An enqueued block, with the turns at which it was enqueued, began and ended.
  package struct Block {
    package var column: Int
    package var enqueuedAt: Int?
    /// The column from which the block was enqueued, or nil for the program's thread.
    package var enqueuedFrom: Int?
    package var begin: Int
    package var end: Int
  }

  package struct Column {
    package var name: String
    /// The contexts that use the queue.
    package var contexts: [ContextID]
  }

  package struct Finding {
    package var kind: FailureKind
    package var step: Int
    /// The place of the violation, such as `after step 11`.
    package var place: String
    /// A sentence about the violation, with its values.
    package var sentence: String
    /// The lines of the proof, in order.
    package var proof: [ProofStep] = []
    /// The context in which the violation showed.
    package var context: ContextID?
    /// The object that the violation concerns, as an index in `objects`. Its entity and a property
    /// follow, by name.
    package var object: Int?
    package var entity: String?
    package var attribute: String?
    /// The lanes of a deadlock, each of which waits for a queue that the next lane holds.
    package var cycle: [CycleLink] = []
  }

  /// A line of a proof.
  package struct ProofStep {
    /// The number of the step, or 0 if the line belongs to no single step.
    package var step: Int
    package var text: String
    /// The moment to which the line belongs, or nil if it belongs to no single moment.
    package var moment: Int?
  }

  /// A lane that takes part in a deadlock.
  package struct CycleLink {
    package var lane: String
    /// The name of the queue that the lane holds.
    package var holds: String
    /// A text about the queue that the lane holds or the group that it is to leave. Nil for a
    /// single wait for a group.
    package var claim: String?
    package var waitsFor: String
    /// The columns of the held and the awaited queue. The lock of a coordinator has no column.
    package var heldColumn: Int?
    package var awaitedColumn: Int?
    /// The moments at which the lane took the held queue and began to wait for the other queue.
    package var taken: Int?
    package var wait: Int?
  }

  /// The columns of queues, followed by those of stores.
  package internal(set) var columns: [Column] = []
  package internal(set) var queueCount = 0
  /// The names of contexts, followed by those of stores and of row caches.
  package internal(set) var places: [String] = []
  /// The number of contexts in `places`, and the number of stores.
  package internal(set) var contextCount = 0
  package internal(set) var storeCount = 0
  package internal(set) var objects: [String] = []
  /// The state before the first moment, as changes from an empty state. Empty for a whole run.
  package internal(set) var initialChanges: [Change] = []
  package internal(set) var moments: [Moment] = []
  package internal(set) var blocks: [Block] = []
  package internal(set) var findings: [Finding] = []
  /// The number of turns in the run.
  package internal(set) var turnCount = 0
}
