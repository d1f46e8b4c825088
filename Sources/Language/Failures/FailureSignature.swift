package import Vocabulary

/// Distinguishes failures of one kind at the moment they appear. A signature consists of the part
/// that took the violating step, the role of the context, and the ways in which its objects were
/// changed.
///
/// A campaign groups runs by signature, and a shrinker never trades one signature for another. For
/// example, a batch request does not become the example of a missing merge. Failures with different
/// signatures may have one cause, which the attribution decides.
package struct FailureSignature: Hashable, Sendable {
  package let kind: FailureKind
  /// The details of the failure, or `nil` if the run records none. Without details, the signature
  /// admits every failure of the kind.
  package let detail: Detail?

  package init(_ kind: FailureKind, _ detail: Detail? = nil) {
    self.kind = kind
    self.detail = detail
  }

  package struct Detail: Hashable, Sendable {
    /// The part of the design whose step showed the violation. `nil` for a step of the program, and
    /// without a violating step.
    package var part: DesignPart?
    /// The role of the context that showed the violation, or `nil` without a context.
    package var role: ContextRole?
    /// The ways in which the objects were changed before, as far as contexts do not track them.
    package var ways: ChangeWays

    package var subject: FailureSubject?

    package init(
      part: DesignPart?, role: ContextRole?, ways: ChangeWays, subject: FailureSubject? = nil
    ) {
      self.part = part
      self.role = role
      self.ways = ways
      self.subject = subject
    }
  }

  /// Returns a Boolean value that indicates whether a failure with `other` is this failure. The
  /// other failure must need no further way of change, and agree in everything else.
  package func admits(_ other: FailureSignature) -> Bool {
    guard kind == other.kind else { return false }
    guard let detail, let theirs = other.detail else { return true }
    return detail.part == theirs.part && detail.role == theirs.role
      && detail.subject == theirs.subject
      && theirs.ways.isSubset(of: detail.ways)
  }

  /// The same failure, but also admitted if hooks changed its objects.
  package var orByHooks: FailureSignature {
    guard var detail else { return self }
    detail.ways.insert(.hook)
    return FailureSignature(kind, detail)
  }

  /// A text that names the failure within a campaign: "lost update; main-queue child; batch
  /// requests".
  package var text: String {
    guard let detail else { return kind.name }
    let parts = [detail.subject?.text, detail.part?.text, detail.role?.text].compactMap(\.self)
    return ([kind.name] + parts + detail.ways.names).joined(separator: "; ")
  }
}

/// The role of a context in a design, whatever its name and the other contexts.
package struct ContextRole: Hashable, Sendable {
  let concurrencyType: Stack.ConcurrencyType
  /// The number of ancestors, 0 for a root.
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

/// Ways to change an object that bypass a context's change tracking, or that bring it changes of
/// other contexts. For a deadlock or a blocked main queue, also whether only the program waits.
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
  /// In each wait of a deadlock or of a blocked main queue, a step of the program names the context
  /// whose queue it requests. No step of the design waits, and no context waits for its parent or
  /// its coordinator.
  package static let programsWaits = ChangeWays(rawValue: 512)
  /// A rollback by the program has restored objects that were deleted elsewhere (NT-15, FL-10).
  package static let programsRollback = ChangeWays(rawValue: 1024)

  /// For most of the time, the blocked main queue was not busy with its own requests to stores.
  package static let heldUp = ChangeWays(rawValue: 2048)

  /// The ways that no part of the design takes. They make the program itself the cause of a
  /// failure.
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
