import Failures
import TestSupport
import Testing
import Vocabulary

/// A load between a save and its merge is stale by a quirk or a cache, and also early.
@Suite struct `A load between a save and its merge` {
  private static let early: FailureKind = "stale read before a merge"
  private static let cached: FailureKind = "stale read through a cached ancestor"

  private let follower = """
      view  mainQueue coordinator store
      form  privateQueue parent view
      sync  privateQueue coordinator store
      observe  didSave sync
        view  perform
          mergeChanges delivered
    """

  /// The merge waits on the main queue in the meantime.
  private func steps(_ end: String = "") -> String {
    """
      view  insert Note as n
      view  set n.title "a"
      view  save
      sync  existingObject view.n
      sync  set n.title "b"
      view  performAndWait
        sync  save
        form  existingObject view.n
        form  get n.title\(end)
    """
  }

  /// Returns nil if the program does not fail in this way.
  private func finds(
    _ kind: FailureKind, _ stack: String, _ steps: String
  ) throws -> FailingRun? {
    guard try failureKinds(stack, steps).contains(kind) else { return nil }
    return try failingRun(kind, stack, steps)
  }

  @Test func `an early load does not wait for the merge into the level above`() throws {
    let run = try #require(try finds(Self.early, follower, steps()))
    #expect(run.part == .observer(of: .didSave, by: "sync", in: "view"))
    #expect(run.group == .design)
    #expect(try finds(Self.cached, follower, steps()) == nil)
  }

  @Test func `a load is stale permanently where nothing is merged`() throws {
    let alone = follower.split(separator: "\n").prefix(3).joined(separator: "\n")
    #expect(try finds(Self.cached, alone, steps()) != nil)
    #expect(try finds(Self.early, alone, steps()) == nil)
    // A merge of another save does not count, and neither does a merge that a kill has removed.
    let other = follower.replacing("didSave sync", with: "didSave form")
    #expect(
      try finds(Self.cached, other, steps("\n    form  set n.title \"c\"\n    form  save")) != nil)
    #expect(try finds(Self.cached, follower, steps("\n    form  kill")) != nil)
  }

  /// No program has read the value.
  @Test func `a load by a step of the design is blamed on the quirk`() throws {
    let entry = follower.replacing(
      "  observe", with: "  entry  look\n    form  forEach registered touch\n  observe")
    let steps = steps().replacing("form  existingObject view.n", with: "form  object view.n")
      .replacing("form  get n.title", with: "form  call look")
    #expect(try finds(Self.cached, entry, steps) != nil)
    #expect(try finds(Self.early, entry, steps) == nil)
  }

  /// The observer merges the save. That leaves the row cache as it is, unless the merge also
  /// informs the coordinator (NT-30).
  @Test func `a load is early under an old row cache only if that is renewed`() throws {
    func stack(_ merge: String) -> String {
      """
        coordinator  app  main
        coordinator  other  main
        view  mainQueue coordinator app
        form  privateQueue parent view
        sync  privateQueue coordinator other
        observe  didSave sync
          view  perform
            \(merge) delivered
      """
    }
    let faults = steps().replacing(
      "  view  save\n",
      with: "  view  save\n  view  refresh n\n  view  get n.title\n  view  refresh n\n")
    let cache: FailureKind = "stale read through the row cache"
    #expect(try finds(Self.early, stack("mergeRemoteChanges"), faults) != nil)
    #expect(try finds(cache, stack("mergeRemoteChanges"), faults) == nil)
    #expect(try finds(cache, stack("mergeChanges"), faults) != nil)
    #expect(try finds(Self.early, stack("mergeChanges"), faults) == nil)
  }

  /// A reader that merges itself shows nothing stale until its program reads. But if the reader
  /// merges before its parent, a load between the two merges is stale permanently.
  @Test func `a load is no failure where the reader merges itself`() throws {
    func both(_ merge: String) -> String {
      follower.replacing(
        "      mergeChanges delivered", with: "      mergeChanges delivered\n\(merge)")
    }
    let (later, earlier) = (
      both("      form  mergeChanges delivered"),
      both("    form  perform\n      mergeChanges delivered")
    )
    let loads = steps().replacing("\n    form  get n.title", with: "")
    #expect(try finds(Self.early, follower, loads) != nil)
    for kind in [Self.early, Self.cached] { #expect(try finds(kind, later, loads) == nil) }
    #expect(try finds(Self.early, later, steps()) != nil)
    #expect(try finds(Self.cached, earlier, loads) != nil)
  }
}
