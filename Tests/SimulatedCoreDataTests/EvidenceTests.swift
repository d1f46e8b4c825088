import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

/// Notes have a transient and a further attribute after the relationship, and folders have an
/// attribute after theirs. The evidence of a later property must not depend on an earlier one.
@Suite struct `Noted evidence` {
  private static let cache = PropertyID(3)
  private static let mood = PropertyID(4)
  private static let color = PropertyID(2)

  /// Evidence of a change, or of a loss.
  private struct Noted: Hashable {
    enum Kind { case overwrote, ignored, wrote }

    var kind: Kind
    var context: Int
    var object: ObjectID?
    var property: PropertyID
    var parent: Int?
    var values: [Value?]

    init?(_ evidence: Evidence) {
      let change: Evidence.Change
      switch evidence {
      case .overwrote(let its, let base, let replaced, let new):
        (kind, change, values) = (.overwrote, its, [base, replaced, new])
      case .ignored(let its, let wanted, let found):
        (kind, change, values) = (.ignored, its, [wanted, found])
      case .wrote(let its, let old, let new): (kind, change, values) = (.wrote, its, [old, new])
      default: return nil
      }
      (context, object, property) = (change.context.index, change.object, change.property)
      parent = change.parent?.index
    }

    init(
      _ kind: Kind, _ property: PropertyID, of object: ObjectID?, by context: Int, in parent: Int?,
      _ values: Value?...
    ) {
      (self.kind, self.property, self.object) = (kind, property, object)
      (self.context, self.parent, self.values) = (context, parent, values)
    }
  }

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

  /// Returns a note in a folder, saved and registered in all contexts. All of its values are
  /// numbered 1.
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
    stage.run(context, .set(.n, Self.cache, .text(number)))
    stage.run(context, .set(.n, Self.mood, .text(number)))
  }

  /// Returns the evidence of all actions of a step together.
  private func evidence(of step: Step, in context: Int, _ stage: inout Stage) -> [Evidence] {
    stage.world.submit(AddressedStep(ContextID(context), step))
    var found: [Evidence] = []
    var performed: [Performed] = []
    while stage.world.turn(into: &performed) {
      if performed.isEmpty { continue }
      performed = []
      found += stage.world.graph.result.evidence
    }
    return found
  }

  private func noted(
    _ kinds: Set<Noted.Kind>, by step: Step, in context: Int, _ stage: inout Stage
  ) -> [Noted] {
    evidence(of: step, in: context, &stage).compactMap(Noted.init).filter {
      kinds.contains($0.kind)
    }
  }

  @Test func `evidence of overwriting in the parent has all overwritten attributes`() {
    var stage = saved([nil, 0])
    set(2, in: 0, &stage)
    stage.run(1, .relate(.n, Note.folder, HeldInstance(1, .g)))
    set(3, in: 1, &stage)
    let id = stage.id(1, .n)
    let found = noted([.overwrote], by: .save, in: 1, &stage)
    #expect(
      found
        == [Note.title, Self.mood].map {
          Noted(.overwrote, $0, of: id, by: 1, in: 0, .text(1), .text(2), .text(3))
        })
  }

  @Test func `evidence of overwriting has only values that differ in the parent`() {
    var stage = saved([nil, 0])
    stage.run(0, .set(.n, Self.mood, .text(3)))
    set(3, in: 1, &stage)
    #expect(noted([.overwrote], by: .save, in: 1, &stage) == [])
  }

  @Test func `evidence of writing to the parent has attributes and to-ones, none equal`() {
    var stage = saved([nil, 0])
    stage.run(0, .set(.n, Note.title, .text(3)))
    stage.run(1, .relate(.n, Note.folder, HeldInstance(1, .g)))
    set(3, in: 1, &stage)
    stage.run(1, .set(.g, Self.color, .text(4)))
    let (note, first) = (stage.id(1, .n), stage.id(1, .f)!)
    let second = stage.id(1, .g)
    let found = noted([.wrote], by: .save, in: 1, &stage)
    let expected: [Noted] = [
      Noted(.wrote, Note.folder, of: note, by: 1, in: 0, .object(first), .object(second!)),
      Noted(.wrote, Self.mood, of: note, by: 1, in: 0, .text(1), .text(3)),
      Noted(.wrote, Self.color, of: second, by: 1, in: 0, .null, .text(4)),
    ]
    #expect(Set(found) == Set(expected) && found.count == expected.count, "\(found)")
  }

  @Test func `evidence of writing to a store has attributes and to-ones, none equal`() {
    var stage = saved([nil])
    stage.run(0, .relate(.n, Note.folder, HeldInstance(0, .g)))
    stage.run(0, .set(.n, Self.cache, .text(5)), .set(.n, Self.mood, .text(3)))
    stage.run(0, .set(.g, Self.color, .text(4)))
    let (note, first, second) = (stage.id(0, .n), stage.id(0, .f)!, stage.id(0, .g))
    let found = noted([.wrote], by: .save, in: 0, &stage)
    let expected: [Noted] = [
      Noted(.wrote, Note.folder, of: note, by: 0, in: nil, .object(first), .object(second!)),
      Noted(.wrote, Self.mood, of: note, by: 0, in: nil, .text(1), .text(3)),
      Noted(.wrote, Self.color, of: second, by: 0, in: nil, .null, .text(4)),
    ]
    #expect(Set(found) == Set(expected) && found.count == expected.count, "\(found)")
  }

  /// The child sets the value that it has loaded. The parent has another value by now, and keeps
  /// it.
  @Test func `evidence of an ignored value has all attributes that the parent changed`() {
    var stage = saved([nil, 0])
    stage.run(0, .set(.n, Note.title, .text(2)), .set(.n, Self.mood, .text(2)))
    stage.run(1, .relate(.n, Note.folder, nil))
    set(1, in: 1, &stage)
    let id = stage.id(1, .n)
    let found = noted([.ignored], by: .save, in: 1, &stage)
    #expect(
      found
        == [Note.title, Self.mood].map {
          Noted(.ignored, $0, of: id, by: 1, in: 0, .text(1), .text(2))
        })
  }

  @Test(arguments: MergePolicy.allCases)
  func `evidence of a conflict has what the policy replaces or drops`(policy: MergePolicy) {
    var stage = saved([nil, nil], policies: [policy, .error])
    stage.run(1, .set(.n, Note.title, .text(2)), .set(.n, Self.mood, .text(2)), .save)
    set(3, in: 0, &stage)
    let id = stage.id(0, .n)
    let found = noted([.overwrote, .ignored], by: .save, in: 0, &stage)
    let expected: [Noted] = [Note.title, Self.mood].compactMap { property in
      switch policy {
      case .error: nil
      case .overwrite, .mergeByPropertyObjectTrump:
        Noted(.overwrote, property, of: id, by: 0, in: nil, .text(1), .text(2), .text(3))
      case .rollback, .mergeByPropertyStoreTrump:
        Noted(.ignored, property, of: id, by: 0, in: nil, .text(3), .text(2))
      }
    }
    #expect(found == expected)
  }

  @Test func `evidence of giving up has insertions, deletions, values and members`() {
    var stage = saved([nil])
    stage.run(0, .insert(Note.entity, as: .m), .delete(.g))
    stage.run(0, .set(.n, Self.mood, .text(2)), .relate(.n, Note.folder, nil))
    let ids = [ObjectName.n, .m, .f, .g].map { stage.id(0, $0)! }
    let found = evidence(of: .rollback, in: 0, &stage).filter {
      if case .lost = $0 { true } else { false }
    }
    let expected: [Evidence] = [
      .lost(ContextID(0), object: ids[0], .value(Note.folder, .null)),
      .lost(ContextID(0), object: ids[0], .value(Self.mood, .text(2))),
      .lost(ContextID(0), object: ids[1], .insertion),
      .lost(ContextID(0), object: ids[2], .members(Folder.notes)),
      .lost(ContextID(0), object: ids[3], .deletion),
    ]
    #expect(Set(found) == Set(expected) && found.count == expected.count, "\(found)")
  }
}
