import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

/// Notes with a transient and a further attribute behind the relationship, folders with an
/// attribute behind theirs: what is noted of a later property must not depend on an earlier one.
@Suite struct `Evidence` {
  private static let cache = PropertyID(3)
  private static let mood = PropertyID(4)
  private static let color = PropertyID(2)
  private let root = ContextID(0)
  private let child = ContextID(1)

  private func stage(
    _ parents: [Int?], policies: [MergePolicy] = [], quirks: QuirkSet = Profile.current.quirks
  ) -> Stage {
    var stage = Stage(
      parents, quirks: quirks, policies: policies,
      model: { note, folder in
        var cache = Attribute(type: .string)
        cache.isTransient = true
        note.properties.append(Property(name: "cache", kind: .attribute(cache)))
        note.properties.append(Property(name: "mood", kind: .attribute(Attribute(type: .string))))
        folder.properties.append(
          Property(name: "color", kind: .attribute(Attribute(type: .string))))
      })
    stage.world.notesWrites = true
    return stage
  }

  /// A note in a folder, saved and known in all contexts; all of its values are numbered 1.
  private func saved(_ parents: [Int?], policies: [MergePolicy] = []) -> Stage {
    var stage = stage(parents, policies: policies)
    stage.run(0, .insert(Note.entity, as: .n), .insert(Folder.entity, as: .f))
    stage.run(0, .insert(Folder.entity, as: .g))
    set(1, in: 0, &stage)
    stage.run(0, .relate(.n, Note.folder, HeldInstance(0, .f)), .save)
    for context in 1..<parents.count {
      for name in [ObjectName.n, .f, .g] { stage.load(name, from: 0, in: context) }
    }
    return stage
  }

  private func set(_ number: Int, in context: Int, _ stage: inout Stage) {
    stage.run(context, .set(.n, Note.title, .text(number)))
    stage.run(context, .set(.n, Evidence.cache, .text(number)))
    stage.run(context, .set(.n, Evidence.mood, .text(number)))
  }

  /// What the actions of a step have noted, all together.
  private func evidence(of step: Step, in context: Int, _ stage: inout Stage) -> [Evidence] {
    stage.world.submit(AddressedStep(ContextID(context), step))
    var found: [Evidence] = []
    var performed: [Performed] = []
    while stage.world.turn(into: &performed) {
      if performed.isEmpty { continue }
      performed = []
      found += stage.world.evidence
    }
    return found
  }

  private func change(
    _ property: PropertyID, of object: ObjectID?, by context: ContextID, in parent: ContextID?
  ) -> Evidence.Change {
    Evidence.Change(context: context, object: object!, property: property, parent: parent)
  }

  @Test func `of overwriting in the parent has all attributes, whatever else is handed over`() {
    var stage = saved([nil, 0])
    set(2, in: 0, &stage)
    stage.run(1, .relate(.n, Note.folder, HeldInstance(1, .g)))
    set(3, in: 1, &stage)
    let id = stage.id(1, .n)
    let found = evidence(of: .save, in: 1, &stage).filter {
      if case .overwrote = $0 { true } else { false }
    }
    #expect(
      found
        == [Note.title, Evidence.mood].map {
          .overwrote(
            change($0, of: id, by: child, in: root), base: .text(1), replaced: .text(2),
            new: .text(3))
        })
  }

  @Test func `of overwriting is only about what the parent has otherwise`() {
    var stage = saved([nil, 0])
    stage.run(0, .set(.n, Evidence.mood, .text(3)))
    set(3, in: 1, &stage)
    let found = evidence(of: .save, in: 1, &stage)
    #expect(
      !found.contains { if case .overwrote = $0 { true } else { false } }, "\(found)")
  }

  @Test func `of writing to the parent has attributes and to-ones, and nothing equal`() {
    var stage = saved([nil, 0])
    stage.run(0, .set(.n, Note.title, .text(3)))
    stage.run(1, .relate(.n, Note.folder, HeldInstance(1, .g)))
    set(3, in: 1, &stage)
    stage.run(1, .set(.g, Evidence.color, .text(4)))
    let (note, first) = (stage.id(1, .n), stage.id(1, .f)!)
    let second = stage.id(1, .g)
    let found = evidence(of: .save, in: 1, &stage).filter { $0.write != nil }
    let expected: [Evidence] = [
      .wrote(
        change(Note.folder, of: note, by: child, in: root), old: .object(first),
        new: .object(second!)),
      .wrote(change(Evidence.mood, of: note, by: child, in: root), old: .text(1), new: .text(3)),
      .wrote(change(Evidence.color, of: second, by: child, in: root), old: .null, new: .text(4)),
    ]
    #expect(Set(found) == Set(expected) && found.count == expected.count, "\(found)")
  }

  @Test func `of writing to a store has attributes and to-ones, and nothing equal`() {
    var stage = saved([nil])
    stage.run(0, .relate(.n, Note.folder, HeldInstance(0, .g)))
    stage.run(0, .set(.n, Evidence.cache, .text(5)), .set(.n, Evidence.mood, .text(3)))
    stage.run(0, .set(.g, Evidence.color, .text(4)))
    let (note, first, second) = (stage.id(0, .n), stage.id(0, .f)!, stage.id(0, .g))
    let found = evidence(of: .save, in: 0, &stage).filter { $0.write != nil }
    let expected: [Evidence] = [
      .wrote(
        change(Note.folder, of: note, by: root, in: nil), old: .object(first),
        new: .object(second!)),
      .wrote(change(Evidence.mood, of: note, by: root, in: nil), old: .text(1), new: .text(3)),
      .wrote(change(Evidence.color, of: second, by: root, in: nil), old: .null, new: .text(4)),
    ]
    #expect(Set(found) == Set(expected) && found.count == expected.count, "\(found)")
  }

  /// The child sets what it has loaded; the parent has something else by now, and keeps it.
  @Test func `of an ignored value has all attributes that the parent has otherwise`() {
    var stage = saved([nil, 0])
    stage.run(0, .set(.n, Note.title, .text(2)), .set(.n, Evidence.mood, .text(2)))
    stage.run(1, .relate(.n, Note.folder, nil))
    set(1, in: 1, &stage)
    let id = stage.id(1, .n)
    let found = evidence(of: .save, in: 1, &stage).filter {
      if case .ignored = $0 { true } else { false }
    }
    #expect(
      found
        == [Note.title, Evidence.mood].map {
          .ignored(
            change($0, of: id, by: child, in: root), wanted: .text(1), found: .text(2))
        })
  }

  @Test(arguments: MergePolicy.allCases)
  func `of a conflict has what the policy replaces or drops`(policy: MergePolicy) {
    var stage = saved([nil, nil], policies: [policy, .error])
    stage.run(1, .set(.n, Note.title, .text(2)), .set(.n, Evidence.mood, .text(2)), .save)
    set(3, in: 0, &stage)
    let id = stage.id(0, .n)
    let found = evidence(of: .save, in: 0, &stage).filter {
      switch $0 {
      case .overwrote, .ignored: true
      default: false
      }
    }
    let expected: [Evidence] = [Note.title, Evidence.mood].compactMap { property in
      let change = change(property, of: id, by: root, in: nil)
      return switch policy {
      case .error: nil
      case .overwrite, .mergeByPropertyObjectTrump:
        .overwrote(change, base: .text(1), replaced: .text(2), new: .text(3))
      case .rollback, .mergeByPropertyStoreTrump:
        .ignored(change, wanted: .text(3), found: .text(2))
      }
    }
    #expect(found == expected)
  }

  @Test func `of giving up has insertions, deletions, values and members`() {
    var stage = saved([nil])
    stage.run(0, .insert(Note.entity, as: .m), .delete(.g))
    stage.run(0, .set(.n, Evidence.mood, .text(2)), .relate(.n, Note.folder, nil))
    let ids = [ObjectName.n, .m, .f, .g].map { stage.id(0, $0)! }
    let found = evidence(of: .rollback, in: 0, &stage).filter {
      if case .lost = $0 { true } else { false }
    }
    let expected: [Evidence] = [
      .lost(root, object: ids[0], .value(Note.folder, .null)),
      .lost(root, object: ids[0], .value(Evidence.mood, .text(2))),
      .lost(root, object: ids[1], .insertion),
      .lost(root, object: ids[2], .members(Folder.notes)),
      .lost(root, object: ids[3], .deletion),
    ]
    #expect(Set(found) == Set(expected) && found.count == expected.count, "\(found)")
  }
}
