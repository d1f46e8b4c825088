package import Failures
package import Vocabulary

/// A run as a picture shows it: a column for each queue, and the moments at which something
/// happened, in order. All texts have the names that the program gave.
package struct Timeline {
  /// One thing that happened on a queue.
  package struct Moment {
    package enum Kind: String {
      /// Something was done to a context.
      case action
      /// Something is arranged for: a block is enqueued, an entry point called, time let pass.
      case call
      /// A lane waits for a queue.
      case wait
      /// It waits for ever.
      case deadlock
      /// Everything has come to rest, and a context shows what it should not.
      case rest
    }

    package var kind: Kind
    /// The number of the turn, from 0: the order of moments. Several phases of a save are one
    /// moment, in the place of the one that commits.
    package var turn: Int
    /// Of a wait: the turn by which it is over; nil if it lasts as long as the run.
    package var end: Int?
    /// The lane that did it, by number.
    package var lane = 0
    /// How many steps had been performed by then, whether or not the moment has a number.
    package var performedCount = 0
    /// Virtual time, in milliseconds.
    package var time: Int
    package var column: Int
    /// How many steps had been performed, this one included, as reports number them; 0 if it is
    /// none.
    package var step: Int
    package var context: ContextID?
    /// Without the context: `set n.title "a"`.
    package var text: String
    /// Of a wait: `waits for sync`, without what waits. Where that goes on, its own moment says so.
    package var wait: String? = nil
    /// What it answered: `"a"`, `[n m]`, `failed …`.
    package var answers: [String] = []
    package var hasFailed = false
    /// Everything that could be observed, a line each.
    package var details: [String] = []
    package var origin: Origin
    /// The block in which it happened, by number; nil on the program's thread.
    package var block: Int?
    package var arrows: [Arrow] = []
    /// What looks otherwise than before.
    package var changes: [Change] = []
    /// Indices of the violations that it brought to light.
    package var violations: [Int] = []
  }

  package enum Origin: String {
    case program, observer
    case automaticMerge = "automatic merge"
  }

  /// Something that goes from one place to another at a moment.
  package struct Arrow {
    package enum Kind: String {
      case save, merge
    }

    package var kind: Kind
    /// Where it comes from: another moment, or nil for the moment's own column.
    package var from: Int?
    /// The column that it leads to; nil for the moment itself.
    package var to: Int?
    /// Of a save: the context or store that it leads to, as an index in `places`.
    package var place: Int?
    /// What it takes there.
    package var carries: [Carried] = []
    /// Of a merge that keeps another value: where the first object that it brings stays as it is.
    package var kept: Carried?
  }

  /// A value, an object or its end, as a save or a merge takes it along.
  package struct Carried: Hashable {
    package enum News: String {
      case value, insertion, deletion
    }

    /// Index in `objects`.
    package var object: Int
    package var news = News.value
    /// Empty where the object as a whole is meant.
    package var attribute = ""
    package var value = ""
  }

  /// How an object looks from a place, from a moment on.
  package struct Change {
    /// Index in `places`.
    package var place: Int
    /// Index in `objects`.
    package var object: Int
    /// How it looked before; nil if it was not there.
    package var before: Look?
    /// Nil if it is not there any more.
    package var look: Look?
  }

  package struct Look: Hashable {
    /// `fault`, `inserted`, `updated`, `deleted`, or empty.
    package var state: String
    /// Of its row; 0 if it has none yet.
    package var version: Int
    /// Of all properties, in their order; none of a fault.
    package var attributes: [Attribute]

    /// `{title: "a"}`; empty for a fault.
    package var values: String {
      if state == "fault" { return "" }
      return "{\(attributes.map { "\($0.name): \($0.value)" }.joined(separator: ", "))}"
    }

    package func value(of name: String) -> String? {
      attributes.first { $0.name == name }?.value
    }
  }

  /// A property with its value, in words.
  package struct Attribute: Hashable {
    package var name: String
    package var value: String
  }

  /// A block that stood in line: when it was enqueued, began and ended, by turn.
  package struct Block {
    package var column: Int
    package var enqueuedAt: Int?
    /// The column that it was enqueued from; nil for the program's thread.
    package var enqueuedFrom: Int?
    package var begin: Int
    package var end: Int
  }

  package struct Column {
    package var name: String
    /// Those that work on the queue.
    package var contexts: [ContextID]
  }

  package struct Finding {
    package var kind: FailureKind
    package var step: Int
    /// `after step 11`
    package var place: String
    /// What was violated, with its values.
    package var sentence: String
    /// What proves it, in order.
    package var proof: [ProofStep] = []
    /// Where it showed.
    package var context: ContextID?
    /// What it is about: indices in `objects`, and the names of its entity and a property.
    package var object: Int?
    package var entity: String?
    package var attribute: String?
    /// Of a deadlock: lanes of which each waits for a queue that the next one holds.
    package var cycle: [CycleLink] = []
  }

  /// One line of a proof.
  package struct ProofStep {
    /// The number of the step; 0 where that says nothing.
    package var step: Int
    package var text: String
    /// Where it happened; nil if that is no one moment.
    package var moment: Int?
  }

  /// A lane of a deadlock.
  package struct CycleLink {
    package var lane: String
    /// The queues, by name.
    package var holds: String
    /// What it says of that: it holds a queue, and is to leave a group. Nil of a wait for a group
    /// that is alone.
    package var claim: String?
    package var waitsFor: String
    /// The columns of both; a coordinator's lock has none.
    package var heldColumn: Int?
    package var awaitedColumn: Int?
    /// The moments at which it took the one and began to wait for the other.
    package var taken: Int?
    package var wait: Int?
  }

  /// Queues first, then the stores.
  package internal(set) var columns: [Column] = []
  package internal(set) var queueCount = 0
  /// Contexts, then stores.
  package internal(set) var places: [String] = []
  package internal(set) var objects: [String] = []
  package internal(set) var moments: [Moment] = []
  package internal(set) var blocks: [Block] = []
  package internal(set) var findings: [Finding] = []
  /// How many turns there were.
  package internal(set) var turnCount = 0
}
