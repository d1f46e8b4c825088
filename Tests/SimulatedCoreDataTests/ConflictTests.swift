import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `Two roots with one row` {
  /// Title 1 and stamp 1 are saved, and loaded in both roots. Context 1 has the policy.
  private func stage(_ policy: MergePolicy) -> Stage {
    var stage = Stage([nil, nil], policies: [.error, policy])
    stage.run(
      0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)),
      .set(.n, Note.stamp, .integer(1)), .insert(Note.entity, as: .m), .save)
    for name in [ObjectName.n, .m] { stage.load(name, from: 0, in: 1) }
    return stage
  }

  private let row = ObjectID.permanent(Note.entity, key: 1, in: StoreID(0))

  @Test func `two roots conflict even over different properties (MP-02)`() {
    var stage = stage(.error)
    stage.run(0, .set(.n, Note.title, .text(2)), .save)
    stage.run(1, .set(.n, Note.stamp, .integer(2)))
    // The coordinator knows of the other save, so only the context is stale (MP-04, MP-05).
    var conflict = Failure.Conflict(object: row, oldVersion: 1, newVersion: 2)
    conflict.objectSnapshot = [.text(1), .integer(1), .null]
    conflict.cachedSnapshot = [.text(2), .integer(1), .null]
    #expect(stage.run(1, .save).failure == .mergeConflicts([conflict]))
  }

  @Test func `roots do not conflict over different or unchanged objects (MP-03, MP-06)`() {
    var stage = stage(.error)
    stage.run(0, .set(.n, Note.title, .text(2)), .save)
    stage.run(1, .set(.m, Note.title, .text(3)))
    #expect(stage.shown(1, .n, Note.title) == .text(1))
    #expect(stage.run(1, .save).failure == nil)
    #expect(stage.rows.map(\.version) == [2, 2])
  }

  @Test func `the error policy keeps what is in memory (MP-07)`() {
    var stage = stage(.error)
    stage.run(0, .set(.n, Note.title, .text(2)), .save)
    stage.run(1, .set(.n, Note.title, .text(3)), .processPendingChanges)
    let (before, rows) = (stage.view(1), stage.rows)
    #expect(stage.run(1, .save).failure != nil)
    #expect(stage.view(1) == before && stage.rows == rows)
    // A refresh renews the version, and the save goes through (MP-29).
    stage.run(1, .refresh(.n, mergeChanges: true))
    #expect(stage.run(1, .save).failure == nil)
    #expect(stage.rows.first?.values[0] == .text(3))
  }

  /// The values that each side sets, from title 1 and stamp 1, and the stored values afterwards.
  struct Case: CustomTestStringConvertible {
    let policy: MergePolicy
    let mine: (title: Int?, stamp: Int?)
    let theirs: (title: Int?, stamp: Int?)
    let result: (title: Int, stamp: Int)

    var testDescription: String { "\(policy): \(mine) against \(theirs)" }

    static let all = [
      // MP-08: changed on both sides, only here, only there.
      Case(.mergeByPropertyStoreTrump, mine: (2, 2), theirs: (3, nil), result: (3, 2)),
      Case(.mergeByPropertyStoreTrump, mine: (2, nil), theirs: (3, 3), result: (3, 3)),
      // MP-09
      Case(.mergeByPropertyObjectTrump, mine: (2, 2), theirs: (3, nil), result: (2, 2)),
      Case(.mergeByPropertyObjectTrump, mine: (2, nil), theirs: (3, 3), result: (2, 3)),
      // MP-10: a value that was not changed here is reverted to the loaded value.
      Case(.overwrite, mine: (2, nil), theirs: (3, 3), result: (2, 1)),
      // MP-11
      Case(.rollback, mine: (2, 2), theirs: (3, nil), result: (3, 1)),
    ]

    init(
      _ policy: MergePolicy, mine: (title: Int?, stamp: Int?), theirs: (title: Int?, stamp: Int?),
      result: (title: Int, stamp: Int)
    ) {
      (self.policy, self.mine, self.theirs, self.result) = (policy, mine, theirs, result)
    }
  }

  @Test(arguments: Case.all)
  func `the policy of the second root settles a conflict`(_ case: Case) {
    var stage = stage(`case`.policy)
    for (c, edit) in [(0, `case`.theirs), (1, `case`.mine)] {
      if let title = edit.title { stage.run(c, .set(.n, Note.title, .text(title))) }
      if let stamp = edit.stamp { stage.run(c, .set(.n, Note.stamp, .integer(Int64(stamp)))) }
    }
    stage.run(1, .set(.m, Note.title, .text(8)))
    stage.run(0, .save)
    #expect(stage.run(1, .save).failure == nil)
    let expected: [Value] = [
      .text(`case`.result.title), .integer(Int64(`case`.result.stamp)), .null,
    ]
    #expect(stage.rows.first?.values == expected)
    #expect(stage[1, .n]?.values == expected)
    #expect(stage[1, .n]?.isUpdated == false && !stage.hasChanges(1))
    #expect(stage.rows.last?.values.first == .text(8))
  }

  @Test func `a DidSave does not list an update that rollback gave up (MP-11)`() {
    var stage = stage(.rollback)
    stage.run(0, .set(.n, Note.title, .text(2)), .save)
    stage.run(1, .set(.n, Note.title, .text(3)), .set(.m, Note.title, .text(8)))
    let saved = stage.run(1, .save)
    #expect(saved.didSave(1).map(\.updated) == stage.rows.dropFirst().map { [$0.id] })
    #expect(stage.rows.first?.version == 2)
    #expect(stage.world.graph.inspect(row, in: ContextID(1))?.isChanged(Note.title) == false)
  }

  @Test func `two roots may both delete one row (MP-17)`() {
    var stage = stage(.error)
    stage.run(0, .delete(.n), .save)
    stage.run(1, .delete(.n))
    let saved = stage.run(1, .save)
    #expect(saved.failure == nil && saved.didSave(1).map(\.deleted) == [[row]])
  }

  @Test func `the overwrite policy brings back what the other root deleted (MP-19)`() {
    var stage = stage(.overwrite)
    stage.run(0, .delete(.n), .save)
    #expect(stage.rows.count == 1)
    stage.run(1, .set(.n, Note.stamp, .integer(2)))
    #expect(stage.run(1, .save).failure == nil)
    #expect(
      stage.rows.first?.id == row && stage.rows.first?.values == [.text(1), .integer(2), .null])
    #expect(!stage.hasChanges(1))
  }
}
