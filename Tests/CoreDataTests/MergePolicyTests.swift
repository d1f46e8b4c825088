import CoreData
import Foundation
import Testing

/// A policy that keeps the greater number of views, and otherwise lets the objects win.
private final class Greatest: NSMergePolicy, @unchecked Sendable {
  var isStubborn = false
  private(set) var views: [[Int64?]] = []

  init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }

  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    if isStubborn { throw Stubborn() }
    for conflict in list {
      let row = conflict.persistedSnapshot ?? conflict.cachedSnapshot
      let stored = row?["views"] as? Int64
      let own = conflict.sourceObject.value(forKey: "views") as? Int64
      views.append([own, stored])
      if let stored, let own, stored > own {
        conflict.sourceObject.setValue(stored, forKey: "views")
      }
    }
    try super.resolve(optimisticLockingConflicts: list)
  }
}

private struct Stubborn: Error {}

@Suite struct `A merge policy of the app` {
  /// Returns the views and the title that are finally saved.
  private func conflict(_ policy: Greatest, theirs: Int64, mine: Int64) throws -> [String] {
    let container = Notes.container()
    let view = container.viewContext
    let note = Note(context: view)
    try view.save()
    let other = container.newBackgroundContext()
    try other.performAndWait {
      (other.object(with: note.objectID) as? Note)?.views = theirs
      try other.save()
    }
    view.mergePolicy = policy
    note.title = "mine"
    note.views = mine
    try view.save()
    #expect(!view.hasChanges)
    view.refresh(note, mergeChanges: false)
    return ["\(note.views)", note.title ?? "none"]
  }

  @Test func `a merge policy receives the conflicts of a save and changes the saved values`() {
    let policy = Greatest()
    let outcome = live {
      let (less, more) = (
        try conflict(policy, theirs: 7, mine: 3), try conflict(policy, theirs: 1, mine: 3)
      )
      #expect(less == ["7", "mine"] && more == ["3", "mine"])
    }
    #expect(policy.views == [[3, 7], [3, 1]])
    #expect(outcome.disagreement == nil)
  }

  @Test func `a merge policy stops the save by throwing an error`() {
    let policy = Greatest()
    policy.isStubborn = true
    let outcome = live {
      #expect(throws: Stubborn.self) { try conflict(policy, theirs: 7, mine: 3) }
    }
    #expect(outcome.disagreement == nil)
  }
}
