import ObjectModel
import Scenario
import Testing
import Vocabulary

/// What a developer reads when something failed.
@Suite struct `The text of a failure` {
  private static let model = try? ModelText.parse(
    """
    Note
      title  string min 2 max 20 not "x" "reserved"
      stars  integer? = 3 min 1 max 5 not 4
      day  date? min @0 max @86400
      folder  Folder? inverse notes
      tags  Tag+ max 3
      unique  title
      unique  title stars
    Folder
      notes  Note* inverse folder deny min 2
    Tag

    """)

  private static let (title, stars, day) = (PropertyID(0), PropertyID(1), PropertyID(2))
  private static let tags = PropertyID(4)
  private static let n = ObjectID.permanent(EntityID(0), key: 1, in: StoreID(0))
  private static let m = ObjectID.permanent(EntityID(0), key: 2, in: StoreID(0))
  private static let f = ObjectID.permanent(EntityID(1), key: 3, in: StoreID(0))

  private func text(_ failure: Failure) throws -> String {
    let model = try #require(Self.model)
    var stack = Stack()
    stack.stores = [Stack.Store(name: "main")]
    stack.coordinators = [Stack.Coordinator(name: "store", stores: [StoreID(0)])]
    stack.contexts = [
      Stack.Context(
        name: "edit", concurrencyType: .privateQueue, parent: .coordinator(CoordinatorID(0)))
    ]
    let names = [(Self.n, "n"), (Self.m, "m"), (Self.f, "f")]
    let text = EventText(model: model, stack: stack) { id in names.first { $0.0 == id }?.1 }
    return text.line(for: .failed(failure), lane: ContextID(0))
  }

  @Test(arguments: [
    (ErrorCode.validationNumberTooSmall, stars, "n.stars is too small, 1 at least"),
    (.validationNumberTooLarge, stars, "n.stars is too large, 5 at most"),
    (.validationStringTooShort, title, "n.title is too short, 2 characters at least"),
    (.validationStringTooLong, title, "n.title is too long, 20 characters at most"),
    (.validationDateTooSoon, day, "n.day is too soon, @0 at the earliest"),
    (.validationDateTooLate, day, "n.day is too late, @86400 at the latest"),
    (.validationMissingMandatoryProperty, title, "n.title is required"),
    (.validationRelationshipLacksMinimumCount, tags, "n.tags has too few objects, it needs 1"),
    (.validationRelationshipExceedsMaximumCount, tags, "n.tags has too many objects, 3 at most"),
  ])
  func `says which limit was passed`(code: ErrorCode, property: PropertyID, reason: String) throws {
    let failure = Failure.validation([Failure.Issue(code, Self.n, property)])
    #expect(try text(failure) == "edit  failed \(code.name) \(code.rawValue): \(reason)")
  }

  @Test func `says how many are needed, and who denies a deletion`() throws {
    let notes = PropertyID(0)
    let few = Failure.Issue(.validationRelationshipLacksMinimumCount, Self.f, notes)
    let denied = Failure.Issue(.validationRelationshipDeniedDelete, Self.f, notes)
    #expect(
      try text(.validation([few, denied]))
        == "edit  failed validationMultipleErrors 1560: f.notes has too few objects, it needs 2; "
        + "f.notes denies the deletion while it has objects")
  }

  @Test func `repeats the warning of a forbidden value`() throws {
    let symbols = try #require(Self.model).symbols
    var table = symbols
    let reserved = Value.string(table.symbol(for: "x"))
    #expect(
      try text(
        .validation([Failure.Issue(.validationManagedObject, Self.n, Self.title, value: reserved)]))
        == "edit  failed validationManagedObject 1550: n.title cannot be \"x\", \"reserved\"")
    #expect(
      try text(
        .validation([
          Failure.Issue(.validationManagedObject, Self.n, Self.stars, value: .integer(4))
        ])) == "edit  failed validationManagedObject 1550: n.stars cannot be 4")
  }

  private static let (old, new) = (
    [Value.null, .integer(3), .date(0), .object(f)], [Value.null, .integer(5), .date(0), .null]
  )

  private func conflict(_ change: (inout Failure.Conflict) -> Void) throws -> String {
    var conflict = Failure.Conflict(object: Self.n, oldVersion: 1, newVersion: 2)
    change(&conflict)
    let text = try text(.mergeConflicts([conflict]))
    // Refreshing does not bring back what is gone.
    let isGone = conflict.newVersion == 0 && conflict.oldVersion != 0
    let remedy = isGone ? "delete it here too" : "refresh and save again"
    let advice = "; \(remedy), or set a merge policy"
    #expect(text.hasSuffix(advice))
    return String(text.dropLast(advice.count))
  }

  @Test func `shows the values in which context and store differ`() throws {
    let start = "edit  failed managedObjectMerge 133020: n was loaded as version 1"
    #expect(
      try conflict {
        $0.objectSnapshot = Self.old
        $0.cachedSnapshot = Self.new
      } == start + " {stars: 3, folder: f}, the store has version 2 {stars: 5, folder: nil}")
    #expect(
      try conflict {
        $0.objectSnapshot = Self.old
        $0.cachedSnapshot = Self.old
      } == start + ", the store has version 2")
    #expect(
      try conflict {
        $0.newVersion = 0
        $0.objectSnapshot = Self.old
      } == start + ", the store has no such row")
  }

  @Test func `shows the values in which row cache and store differ`() throws {
    let start = "edit  failed managedObjectMerge 133020: n was loaded as version 1"
    #expect(
      try conflict {
        $0.cachedSnapshot = Self.old
        $0.persistedSnapshot = Self.new
      } == start + ", the row cache has {stars: 3, folder: f}, the store has version 2 "
        + "{stars: 5, folder: nil}")
    #expect(
      try conflict {
        $0.newVersion = 0
        $0.cachedSnapshot = Self.old
      } == start + ", the store has no such row")
  }

  @Test func `shows no values where a child conflicts with its parent`() throws {
    #expect(
      try conflict {
        ($0.oldVersion, $0.newVersion) = (0, 0)
        $0.objectSnapshot = Self.old
      }
        == "edit  failed managedObjectMerge 133020: n is not in the parent as it was loaded from there"
    )
  }

  @Test func `names what has to be unique, and who has the same`() throws {
    let note = EntityID(0)
    let conflicts = [
      Failure.ConstraintConflict(
        entity: note, constraint: [Self.title], objects: [Self.n], databaseObject: Self.m),
      Failure.ConstraintConflict(
        entity: note, constraint: [Self.title, Self.stars], objects: [Self.n, Self.m],
        databaseObject: nil),
    ]
    #expect(
      try text(.constraintConflicts(conflicts))
        == "edit  failed managedObjectConstraintMerge 133021: title must be unique in Note, n has "
        + "what the row of m has; title and stars must be unique in Note, n and m have the same; "
        + "change one, or set a merge policy")
  }

  @Test(arguments: [
    (
      Failure.noStore(EntityID(0)),
      "noStore: the coordinator has no store that takes Note; add one first"
    ),
    (
      .unreachableStore(n),
      "unreachableStore: the store of n is not reachable from this context's coordinator; add it again"
    ),
    (
      .alreadySaved(n),
      "alreadySaved: n cannot be reassigned to a different store once it has been saved; insert a "
        + "copy there"
    ),
    (
      .unsupportedRequest(.batch(EntityID(0))),
      "unsupportedRequest: only SQLite stores take batch requests, and Note is in memory, or in "
        + "no store at all; change the objects and save them"
    ),
    (
      .unsupportedRequest(.saveChanges),
      "unsupportedRequest: a context executes no save request; use save, which sends one to the "
        + "stores"
    ),
    (
      .willSaveLoop(n),
      "willSaveLoop: willSave changes n again and again; let it set only what is not set yet, or "
        + "primitively"
    ),
    (
      .wrongQueue(ContextID(0)),
      "wrongQueue: edit was used outside its queue; use perform or performAndWait"
    ),
  ])
  func `says what to do`(failure: Failure, expected: String) throws {
    #expect(try text(failure) == "edit  failed " + expected)
  }
}

@Suite struct `The success` {
  private func line(_ step: Step) throws -> String? {
    let scenario = try Examples.parse(Examples.scenario(steps: Examples.inserts))
    let text = EventText(model: scenario.model, stack: scenario.stack) { _ in nil }
    return text.line(for: .saved, of: .step(AddressedStep(ContextID(1), step), .whole))
  }

  @Test func `of a validation is said, that of a save is not`() throws {
    #expect(try line(.validate(ObjectName(0), .forInsert)) == "edit  valid")
    #expect(try line(.save) == nil)
  }
}
