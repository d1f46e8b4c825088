import ObjectModel
import Scenario
import Testing
import Vocabulary

/// The texts of failures that a developer reads.
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

  private func text(_ failure: Failure, lane: ContextID = ContextID(0)) throws -> String {
    let model = try #require(Self.model)
    var stack = Stack()
    stack.stores = [Stack.Store(name: "main")]
    stack.coordinators = [Stack.Coordinator(name: "store", stores: [StoreID(0)])]
    stack.contexts = [
      Stack.Context(
        name: "edit", concurrencyType: .privateQueue, parent: .coordinator(CoordinatorID(0))),
      Stack.Context(
        name: "draft", concurrencyType: .privateQueue, parent: .context(ContextID(0))),
    ]
    let names = [(Self.n, "n"), (Self.m, "m"), (Self.f, "f")]
    let text = EventText(model: model, stack: stack) { id in names.first { $0.0 == id }?.1 }
    return text.line(for: .failed(failure), lane: lane)
  }

  @Test(arguments: [
    (ErrorCode.validationNumberTooSmall, stars, "n.stars is too small, 1 at least"),
    (.validationNumberTooLarge, stars, "n.stars is too large, 5 at most"),
    (.validationStringTooShort, title, "n.title is too short, 2 characters at least"),
    (.validationStringTooLong, title, "n.title is too long, 20 characters at most"),
    (.validationDateTooSoon, day, "n.day is too soon, @0 at the earliest"),
    (.validationDateTooLate, day, "n.day is too late, @86400 at the latest"),
    (.validationMissingMandatoryProperty, title, "n.title is required"),
    (.validationRelationshipLacksMinimumCount, tags, "n.tags has too few objects, 1 at least"),
    (.validationRelationshipExceedsMaximumCount, tags, "n.tags has too many objects, 3 at most"),
  ])
  func `a text names a passed limit`(code: ErrorCode, property: PropertyID, reason: String) throws {
    let failure = Failure.validation([Failure.Issue(code, Self.n, property)])
    #expect(try text(failure) == "edit  failed \(code.name) \(code.rawValue): \(reason)")
  }

  @Test func `the text gives the missing count, or the object that denies a deletion`() throws {
    let notes = PropertyID(0)
    let few = Failure.Issue(.validationRelationshipLacksMinimumCount, Self.f, notes)
    let denied = Failure.Issue(.validationRelationshipDeniedDelete, Self.f, notes)
    #expect(
      try text(.validation([few, denied]))
        == "edit  failed validationMultipleErrors 1560: f.notes has too few objects, 2 at least; "
        + "f.notes denies the deletion while it has objects")
  }

  @Test func `the text of a failure repeats the warning of a forbidden value`() throws {
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

  /// Returns the text of a conflict of `edit`, without the advice.
  private func conflict(
    advice: String, _ change: (inout Failure.Conflict) -> Void
  ) throws -> String {
    var conflict = Failure.Conflict(object: Self.n, oldVersion: 1, newVersion: 2)
    change(&conflict)
    let text = try text(.mergeConflicts([conflict]))
    let end = "; \(advice), or set a merge policy"
    #expect(text.hasSuffix(end), "\(text)")
    return String(text.dropLast(end.count))
  }

  private static let refresh = "refresh and save again"
  private static let delete = "delete it here too"
  private static let renew = "fetch to renew the row cache, refresh and save again"

  @Test func `the text shows the values in which context and store differ`() throws {
    let start = "edit  failed managedObjectMerge 133020: n was loaded as version 1"
    #expect(
      try conflict(advice: Self.refresh) {
        $0.objectSnapshot = Self.old
        $0.cachedSnapshot = Self.new
      } == start + " {stars: 3, folder: f}, the store has version 2 {stars: 5, folder: nil}")
    #expect(
      try conflict(advice: Self.refresh) {
        $0.objectSnapshot = Self.old
        $0.cachedSnapshot = Self.old
      } == start + ", the store has version 2")
    #expect(
      try conflict(advice: Self.delete) {
        $0.newVersion = 0
        $0.objectSnapshot = Self.old
      } == start + ", the store has no such row")
  }

  @Test func `the text shows the values in which row cache and store differ`() throws {
    let start = "edit  failed managedObjectMerge 133020: n was loaded as version 1"
    #expect(
      try conflict(advice: Self.renew) {
        $0.cachedSnapshot = Self.old
        $0.persistedSnapshot = Self.new
      } == start + ", the row cache has {stars: 3, folder: f}, the store has version 2 "
        + "{stars: 5, folder: nil}")
    #expect(
      try conflict(advice: Self.delete) {
        $0.newVersion = 0
        $0.cachedSnapshot = Self.old
      } == start + ", the store has no such row")
  }

  /// A fault whose row is gone has no version, and neither has what a child loaded.
  @Test func `the text distinguishes a root from a child`() throws {
    let start = "edit  failed managedObjectMerge 133020: n was loaded when it had no row"
    #expect(
      try conflict(advice: Self.delete) {
        ($0.oldVersion, $0.newVersion) = (0, 0)
        $0.objectSnapshot = Self.old
      } == start + ", the store has no such row")
    #expect(
      try conflict(advice: Self.refresh) {
        $0.oldVersion = 0
        $0.objectSnapshot = Self.old
        $0.cachedSnapshot = Self.new
      } == start + ", the store has version 2 {stars: 5, folder: nil}")
  }

  /// A child is not told whether the parent has changed the object or does not have it.
  @Test func `the text shows no values where a child conflicts with its parent`() throws {
    var conflict = Failure.Conflict(object: Self.n, oldVersion: 0, newVersion: 0)
    conflict.objectSnapshot = Self.old
    let start = "draft  failed managedObjectMerge 133020: n "
    let advice =
      "; refresh the object, or delete it if the parent no longer has it, and save again, "
      + "or set a merge policy"
    #expect(
      try text(.mergeConflicts([conflict]), lane: ContextID(1))
        == start + "was changed or deleted in the parent after it was loaded" + advice)
    (conflict.oldVersion, conflict.newVersion) = (1, 2)
    #expect(
      try text(.mergeConflicts([conflict]), lane: ContextID(1))
        == start + "was loaded as version 1, the parent has version 2" + advice)
  }

  @Test func `the text distinguishes what has changed from what is gone`() throws {
    var changed = Failure.Conflict(object: Self.n, oldVersion: 1, newVersion: 2)
    changed.objectSnapshot = Self.old
    let gone = Failure.Conflict(object: Self.m, oldVersion: 1, newVersion: 0)
    #expect(
      try text(.mergeConflicts([changed, gone])).hasSuffix(
        "; refresh changed objects, delete those without a row, and save again, "
          + "or set a merge policy"))
  }

  @Test func `the text names unique properties, and the object with the same values`() throws {
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
        + "the same value as the row of m; title and stars must be unique in Note, n and m have the same value; "
        + "change one, or set a merge policy")
  }

  private static let advice: [(Failure, String)] = [
    (
      .noStore(EntityID(0)),
      "noStore: the coordinator has no store for Note; add a store first"
    ),
    (
      .unreachableStore(n),
      "unreachableStore: NSInternalInconsistencyException, the store of n is not reachable from this context's coordinator; add the store again, or release its objects if the store was destroyed"
    ),
    (
      .inaccessible(n),
      "inaccessible: NSObjectInaccessibleException, Core Data could not fulfill a fault for n; its "
        + "row was deleted, or its store removed"
    ),
    (
      .differentContexts,
      "differentContexts: NSInvalidArgumentException, illegal attempt to establish a relationship "
        + "between objects in different contexts; use object(with:) for one of them"
    ),
    (
      .alreadySaved(n),
      "alreadySaved: NSInvalidArgumentException, n cannot be reassigned to a different store once it has been saved; insert a "
        + "copy there"
    ),
    (
      .unsupportedRequest(.batch(EntityID(0))),
      "unsupportedRequest: only SQLite stores support batch requests, and Note is in memory or in "
        + "no store; change the objects and save them instead"
    ),
    (
      .unsupportedRequest(.saveChanges),
      "unsupportedRequest: a context does not execute save requests; call save, which sends a "
        + "request to the stores"
    ),
    (
      .willSaveLoop(n),
      "willSaveLoop: NSInternalInconsistencyException, willSave changes n on each call; set a "
        + "value only if it differs, or set primitive values"
    ),
    (
      .wrongQueue(ContextID(0)),
      "wrongQueue: __Multithreading_Violation_AllThatIsLeftToUsIsHonor__, edit was used outside its "
        + "queue; use perform or performAndWait"
    ),
  ]

  @Test(arguments: advice)
  func `the text of a failure says what to do`(failure: Failure, expected: String) throws {
    #expect(try text(failure) == "edit  failed " + expected)
  }
}

@Suite struct `The success` {
  private func line(_ step: Step) throws -> String? {
    let scenario = try Examples.parse(Examples.scenario(steps: Examples.inserts))
    let text = EventText(model: scenario.model, stack: scenario.stack) { _ in nil }
    return text.line(for: .saved, of: .step(AddressedStep(ContextID(1), step), .whole))
  }

  @Test func `the success of a validation is a line, that of a save is not`() throws {
    #expect(try line(.validate(ObjectName(0), .forInsert)) == "edit  valid")
    #expect(try line(.save) == nil)
  }
}
