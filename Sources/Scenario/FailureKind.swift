/// What campaigns count failures under, by which a claim says what its scenario shows. Which
/// invariant each is about is no matter of texts.
enum FailureKind {
  /// In the order in which reports have them.
  static let violations = [
    "temporary ID leak", "duplicate awakeFromInsert", "two instances for one row", "broken inverse",
    "dirty read", "lost save", "aborted read", "lost update", "lost update in the store",
    "silently ignored save", "silently ignored save in the store",
    "stale read through a cached ancestor", "stale read through the row cache", "lost block",
    "deadlock", "deadlock by the stack", "endless reaction", "non-repeatable read",
    "lost update through a merge", "lost update through a merge in the store", "write skew",
    "write skew in the store",
    "stale list", "wrong-queue access", "wrong-queue access by the stack", "main queue blocked",
    "store access on the main queue",
    "acknowledged save gone", "unsaved changes discarded",
    "unsaved changes discarded by the stack", "torn store",
  ]

  /// Engine and reference can differ after every kind of step, which the name then says.
  private static let disagreements = [
    "disagreement on events: ", "disagreement on a context: ", "disagreement on a store: ",
    "disagreement: an automatic merge never came",
  ]

  static func exists(_ kind: String) -> Bool {
    violations.contains(kind) || disagreements.contains(where: kind.hasPrefix)
  }
}
