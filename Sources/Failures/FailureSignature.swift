package import Vocabulary

/// What tells failures of one kind apart when they show: who took the step that showed the failure,
/// in what kind of context, and by which ways its objects were changed.
///
/// A campaign groups runs by signature, and a shrinker never trades one signature for another: a
/// batch request does not become the example of a missing merge. Failures with different signatures
/// may have one cause; the attribution says so.
package struct FailureSignature: Hashable, Sendable {
  package let kind: FailureKind
  /// Nil where runs do not note it: every failure of the kind is admitted.
  package let detail: Detail?

  package init(_ kind: FailureKind, _ detail: Detail? = nil) {
    self.kind = kind
    self.detail = detail
  }

  package struct Detail: Hashable, Sendable {
    /// The part of the design whose step showed it; nil for a step of the program's own, and where
    /// no step did.
    package var part: DesignPart?
    /// Of the context in which it showed; nil where it is about none.
    package var role: ContextRole?
    /// How its objects were changed before, as far as contexts do not keep track of it.
    package var ways: ChangeWays

    /// The promise that is broken, by its text.
    package var promise: String?

    package init(
      part: DesignPart?, role: ContextRole?, ways: ChangeWays, promise: String? = nil
    ) {
      self.part = part
      self.role = role
      self.ways = ways
      self.promise = promise
    }
  }

  /// Whether a failure with `other` is this failure: one that needs no way of change that this has
  /// not, and agrees in all else.
  package func admits(_ other: FailureSignature) -> Bool {
    guard kind == other.kind else { return false }
    guard let detail, let theirs = other.detail else { return true }
    return detail.part == theirs.part && detail.role == theirs.role
      && detail.promise == theirs.promise
      && theirs.ways.isSubset(of: detail.ways)
  }

  /// The same failure, also where hooks have changed its objects.
  package var orByHooks: FailureSignature {
    guard var detail else { return self }
    detail.ways.insert(.hook)
    return FailureSignature(kind, detail)
  }

  /// Names it within a campaign: "lost update; view on the main queue; batch requests".
  package var text: String {
    guard let detail else { return kind.name }
    let promise = detail.promise.map { "promise '\($0)'" }
    let parts =
      [promise, detail.part?.text, detail.role?.text].compactMap(\.self) + detail.ways.names
    return ([kind.name] + parts).joined(separator: "; ")
  }
}

/// What a context is in a design, whatever it is called and whatever stands beside it.
package struct ContextRole: Hashable, Sendable {
  let concurrencyType: Stack.ConcurrencyType
  /// 0 for a root.
  let depth: Int
  let isHidden: Bool

  package init(of context: ContextID, in stack: Stack) {
    concurrencyType = stack[context].concurrencyType
    var (level, depth) = (context, 0)
    while let parent = stack.parent(of: level) { (level, depth) = (parent, depth + 1) }
    self.depth = depth
    isHidden = stack[context].isHidden
  }

  package var text: String {
    let queue =
      switch concurrencyType {
      case .mainQueue: "main-queue"
      case .privateQueue: "private-queue"
      case .confinement: "confinement"
      }
    let place = depth == 0 ? "root" : depth == 1 ? "child" : "child on level \(depth)"
    return (isHidden ? "hidden " : "") + "\(queue) \(place)"
  }
}

/// Ways to change an object that pass a context's own bookkeeping by, or bring it what others did;
/// and of a deadlock or a blocked main queue, whether the program alone waits.
package struct ChangeWays: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let batchRequest = ChangeWays(rawValue: 1)
  package static let primitiveSetter = ChangeWays(rawValue: 2)
  package static let undo = ChangeWays(rawValue: 4)
  package static let hook = ChangeWays(rawValue: 8)
  package static let programsMerge = ChangeWays(rawValue: 16)
  package static let designsMerge = ChangeWays(rawValue: 32)
  package static let automaticMerge = ChangeWays(rawValue: 64)
  package static let refresh = ChangeWays(rawValue: 128)
  package static let givenUp = ChangeWays(rawValue: 256)
  /// Of a deadlock, or of a main queue that is blocked: in each wait a step of the program asks for
  /// the queue of the context that it names. Neither the design's own steps wait, nor does a
  /// context for its parent or its coordinator.
  package static let programsWaits = ChangeWays(rawValue: 512)
  /// A rollback by the program has brought back what was deleted elsewhere (NT-15, FL-10).
  package static let programsRollback = ChangeWays(rawValue: 1024)

  /// Of a main queue that is blocked: for most of the time not by its own requests to stores.
  package static let heldUp = ChangeWays(rawValue: 2048)

  /// What no part of the design does: it makes a failure the program's own.
  static let programsOwn: ChangeWays = [.programsMerge, .programsWaits, .programsRollback]

  var names: [String] {
    let named: [(ChangeWays, String)] = [
      (.batchRequest, "batch requests"), (.primitiveSetter, "primitive setters"), (.undo, "undo"),
      (.hook, "hooks"), (.programsMerge, "merges by the program"),
      (.designsMerge, "merges by the design"), (.automaticMerge, "automatic merges"),
      (.refresh, "refreshes"), (.givenUp, "changes given up"),
      (.programsWaits, "waits of the program alone"),
      (.programsRollback, "a rollback by the program"),
      (.heldUp, "held up by others"),
    ]
    return named.filter { contains($0.0) }.map(\.1)
  }
}
