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
    }

    package var kind: Kind
    /// The number of the turn, from 0: the order of moments. Several phases of a save are one
    /// moment, in the place of the one that commits.
    package var turn: Int
    /// Virtual time, in milliseconds.
    package var time: Int
    package var column: Int
    /// How many steps had been performed, this one included, as reports number them; 0 if it is
    /// none.
    package var step: Int
    package var context: ContextID?
    /// Without the context: `set n.title "a"`.
    package var text: String
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
  }

  /// How an object looks from a place, from a moment on.
  package struct Change {
    /// Index in `places`.
    package var place: Int
    /// Index in `objects`.
    package var object: Int
    /// Nil if it is not there any more.
    package var look: Look?
  }

  package struct Look: Hashable {
    /// `fault`, `inserted`, `updated`, `deleted`, or empty.
    package var state: String
    /// Of its row; 0 if it has none yet.
    package var version: Int
    /// `{title: "a"}`
    package var values: String
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
    /// The sentence, and the lines that prove it.
    package var lines: [String]
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
