import Failures
import TestSupport
import Vocabulary

/// The examples of the rules, in the order of the table.
extension CauseExample {
  static let all = [
    CauseExample(
      rule: "planted bug", kind: "torn store", cause: .plantedBug(.killLosesRows),
      source: .file("Stacks/saved-to-the-store-and-killed"), bugs: [.killLosesRows]),
    namedBypass, repeatedInsertion,
    CauseExample(
      rule: "model", kind: "dangling reference", cause: .noActionRule,
      source: .file("Deleting/no-action-leaves-a-dangling-reference")),
    CauseExample(
      rule: "error policy", kind: "failed save by the stack", cause: .mergePolicy(.error),
      source: .file("Conflicts/observer-saves-over-a-newer-row")),
    taker,
    missingMerge,
    ownPolicy,
    CauseExample(
      rule: "quirk", kind: "stale read through a cached ancestor",
      cause: .quirk(.ancestorCacheHidesUpdates),
      source: .file("Faulting/ancestor-cache-hides-updates")),
    CauseExample(
      rule: "merge policy", kind: "lost update in the store",
      cause: .mergePolicy(.mergeByPropertyObjectTrump),
      source: .file("Conflicts/batch-update-is-overwritten")),
    twoPolicies(.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump),
    twoPolicies(.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump), namedQuirkWithPolicy,
    CauseExample(
      rule: "bypass", kind: "raised error by the stack", cause: .bypass(.undo),
      source: .file("Undo/undone-insertion-reads-nil-by-DidSave")),
    coordinators,
    CauseExample(
      rule: "own step", kind: "object deleted by being read by the stack", cause: .observer,
      source: .file("Faulting/observer-reads-a-fault-whose-row-is-gone")),
    CauseExample(
      rule: "automatic merge", kind: "deadlock by the stack", cause: .automaticMerge,
      source: .file("Concurrency/waiting-observer-meets-an-automatic-merge")),
    CauseExample(
      rule: "known part", kind: "main queue blocked", cause: .entryPoint,
      source: .file("Stacks/save-button-writes-on-main")),
    CauseExample(
      rule: "known part", kind: "half-done work saved", cause: .entryPoint,
      source: .file("Saving/save-that-is-put-off-takes-half-done-work")),
    CauseExample(
      rule: "observer", kind: "lost update through a merge in the store", cause: .observer,
      source: .file("Conflicts/observers-merge-loses-an-update")),
    CauseExample(
      rule: "entry point", kind: "deadlock by the stack", cause: .entryPoint,
      source: .file("Stacks/save-everything-against-a-waiting-main")),
    CauseExample(
      rule: "order", kind: "deadlock", cause: .interleaving,
      source: .file("Concurrency/two-contexts-that-met")),
    twoQuirks, quirkWithPolicy,
    CauseExample(
      rule: "conclusion", kind: "write skew", cause: .design,
      source: .file("Conflicts/two-children-cross")),
  ]

  /// The row that the request changes exists only because a policy has resolved a conflict.
  private static let namedBypass = CauseExample(
    rule: "named bypass", kind: "stale read through the row cache",
    cause: .bypass(.batchRequests),
    source: .text(
      stack: """
          view  mainQueue coordinator store policy mergeByPropertyObjectTrump
          work  privateQueue coordinator store
        """,
      steps: """
          view  insert Note as n
          view  set n.title "same"
          view  save
          view  insert Note as m
          view  set m.title "same"
          view  set m.kind "k"
          view  save
          work  existingObject view.n
          view  batchUpdate Note {title: "x"} where kind == "k"
          view  refresh n
          view  get n.title
        """, mark: "\n    unique  title"))

  /// The entry point leaves its queue only if something is left to save.
  private static let repeatedInsertion = CauseExample(
    rule: "repeated insertion", kind: "wrong-queue access by the stack", cause: .program,
    source: .text(
      stack: """
          queue  operations
          view  mainQueue coordinator store
          edit  privateQueue parent view
          entry  flush
            edit  performAndWait
              when hasChanges
                edit  dispatchAsync operations
                  edit  directly
                    save
        """,
      steps: """
          edit  insert Note as n
          edit  save
          edit  insertAgain n
          edit  call flush
        """))

  /// Without the observer nothing is overwritten. The policy overwrites whichever part saves.
  private static let namedQuirkWithPolicy = CauseExample(
    rule: "named quirk with a policy", kind: "lost update",
    cause: .quirkAndPolicy(.childSaveIgnoresMergePolicy, .mergeByPropertyObjectTrump),
    source: .text(
      stack: """
          view  mainQueue coordinator store policy mergeByPropertyObjectTrump
          one  privateQueue parent view policy mergeByPropertyObjectTrump
          two  privateQueue parent view policy mergeByPropertyObjectTrump
          observe  didSave one
            two  save
        """,
      steps: """
          view  insert Note as n
          view  set n.title "a"
          view  save
          one  existingObject view.n
          two  existingObject view.n
          one  set n.title "b"
          two  set n.title "c"
          one  save
        """))

  /// An observer reads, but through another row cache.
  private static let coordinators = CauseExample(
    rule: "coordinators", kind: "stale read through the row cache", cause: .severalCoordinators,
    source: .text(
      stack: """
          store  other
          coordinator  app  main
          coordinator  library  main other
          view  mainQueue coordinator app
          record  privateQueue coordinator library
          observe  didSave view
            record  perform
              forEach delivered touch
        """,
      steps: """
          view  insert Note as n
          view  save
          record  fetch Note
          view  set n.title "s1"
          view  save
        """))

  /// The entry point raises, because an observer has removed the store.
  private static let taker = CauseExample(
    rule: "taker of a store", kind: "raised error by the stack", cause: .observer,
    source: .text(
      stack: """
          view  mainQueue coordinator store
          swap  privateQueue coordinator store
          entry  saveView
            view  save
          observe  didSave swap
            swap  destroyStore main anew
        """,
      steps: """
          view  insert Note as n
          view  save
          view  set n.title "s1"
          swap  insert Note as m
          swap  save
          view  call saveView
        """))

  /// A read after the save would be current, but a merge makes the read current in either order.
  private static let missingMerge = CauseExample(
    rule: "missing merge", kind: "stale copy", cause: .design,
    source: .text(
      stack: """
          view  mainQueue coordinator store
          work  privateQueue coordinator store
        """,
      steps: """
          view  insert Note as n
          view  save
          view  refresh n
          work  perform
            object view.n
            set n.title "s1"
            save
          view  get n.title
        """, order: "\ninterleave  choices 0 1 1 1 1"))

  /// The context's own save leaves out its duplicate, which the list continues to show.
  private static let ownPolicy = CauseExample(
    rule: "own policy", kind: "stale list", cause: .mergePolicy(.mergeByPropertyStoreTrump),
    source: .text(
      stack: """
          view  mainQueue coordinator store policy mergeByPropertyStoreTrump
          controller  list  view Note sort title
        """,
      steps: """
          view  insert Note as n
          view  set n.title "same"
          view  save
          view  performFetch list
          view  insert Note as m
          view  set m.title "same"
          view  save
        """, mark: "\n    unique  title"))

  /// The second save resolves the conflict by its own policy, whichever save that is.
  private static func twoPolicies(_ own: MergePolicy, _ other: MergePolicy) -> CauseExample {
    CauseExample(
      rule: "two policies", kind: "write skew in the store",
      cause: .mergePolicies(.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump),
      source: .text(
        stack: """
            view  mainQueue coordinator store policy \(own.rawValue)
            work  privateQueue coordinator store policy \(other.rawValue)
          """,
        steps: """
            view  insert Note as n
            view  save
            view  get n.title
            work  fetch Note
            work  get n.kind
            view  set n.kind "k"
            work  set n.title "s1"
            view  perform
              save
            work  save
          """, order: "\ninterleave  choices 1 1 1 0 0 0"))
  }

  /// Without both quirks the first save fails, and the second one is not ignored.
  private static let twoQuirks = CauseExample(
    rule: "two quirks", kind: "silently ignored save",
    cause: .quirks(.childSaveIgnoresEqualValues, .childSaveIgnoresMergePolicy),
    source: savedTwice("", first: "a"))

  /// As above, but the quirk overwrites a value that the policy would give up.
  private static let quirkWithPolicy = CauseExample(
    rule: "quirk with a policy", kind: "silently ignored save",
    cause: .quirkAndPolicy(.childSaveIgnoresMergePolicy, .rollback),
    source: savedTwice("policy rollback", first: "b"))

  private static func savedTwice(_ policy: String, first: String) -> Source {
    .text(
      stack: """
          view  mainQueue coordinator store
          edit  privateQueue parent view \(policy)
        """,
      steps: """
          view  insert Note as n
          view  set n.title "a"
          view  save
          edit  existingObject view.n
          edit  set n.title "\(first)"
          view  set n.title "c"
          edit  save
          view  delete n
          edit  set n.title "d"
          edit  save
        """)
  }
}
