import Failures
import Testing
import Vocabulary

/// What is loaded between a save and its merge is stale by a quirk or a cache, and early besides.
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

  /// The merge stands in the line of the main queue meanwhile.
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

  private func finds(_ kind: FailureKind, _ stack: String, _ steps: String) -> FailingRun? {
    try? failingRun(kind, stack, steps)
  }

  @Test func `did not wait for the merge into the level above`() throws {
    let run = try #require(finds(Self.early, follower, steps()))
    #expect(run.part == .observer(of: .didSave, by: "sync", in: "view"))
    #expect(run.group == .design)
    #expect(finds(Self.cached, follower, steps()) == nil)
  }

  @Test func `is behind for good where nothing is merged`() throws {
    let alone = follower.split(separator: "\n").prefix(3).joined(separator: "\n")
    #expect(finds(Self.cached, alone, steps()) != nil)
    #expect(finds(Self.early, alone, steps()) == nil)
    // A merge of another save does not count, nor one that a kill has taken.
    let other = follower.replacing("didSave sync", with: "didSave form")
    #expect(
      finds(Self.cached, other, steps("\n    form  set n.title \"c\"\n    form  save")) != nil)
    #expect(finds(Self.cached, follower, steps("\n    form  kill")) != nil)
  }

  /// A reader that merges itself shows nothing old until its program reads.
  @Test func `is nothing yet where the reader merges itself`() {
    let stack = """
        view  mainQueue coordinator store
        child  privateQueue parent view
        sync  privateQueue coordinator store
        observe  didSave sync
          view  perform
            mergeChanges delivered
          child  perform
            mergeChanges delivered
      """
    let loads = steps().replacing("form", with: "child")
      .replacing("child  get n.title", with: "child  validate n")
    for kind in [Self.early, Self.cached] { #expect(finds(kind, stack, loads) == nil) }
  }
}
