import ObjectModel
import Scenario
import Testing
import Vocabulary

@Suite struct `A transcript line` {
  private static let scenario = try? Examples.parse(
    Examples.scenario(steps: Examples.inserts + "\n  edit  set n.title \"draft\""))

  private static let (view, edit) = (ContextID(0), ContextID(1))
  private static let store = CoordinatorID(0)
  private static let (note, folder) = (EntityID(0), EntityID(2))
  private static let n = ObjectID.temporary(note, serial: 1)
  private static let m = ObjectID.permanent(note, key: 2, in: StoreID(0))
  private static let unnamed = ObjectID.permanent(note, key: 3, in: StoreID(0))
  private static let temporary = ObjectID.temporary(folder, serial: 5)
  private static let draft = Value.string(Symbol(literal: 0))

  private static func sets(_ change: (inout ChangeSets) -> Void) -> ChangeSets {
    var sets = ChangeSets()
    change(&sets)
    return sets
  }

  private func line(_ event: Event) throws -> String {
    let scenario = try #require(Self.scenario)
    let text = EventText(model: scenario.model, stack: scenario.stack) { id in
      id == Self.n ? "n" : id == Self.m ? "m" : nil
    }
    return text.line(for: event, lane: Self.edit)
  }

  private static let answers: [(Event, String)] = [
    (.value(draft), "edit  read \"draft\""), (.value(.null), "edit  read nil"),
    (.value(.object(n)), "edit  read n"),
    (.collection([n, temporary]), "edit  read [n Folder/t5]"),
    (.objects([n, m]), "edit  found [n m]"), (.objects([]), "edit  found []"),
    (.count(2), "edit  counted 2"), (.object(unnamed), "edit  object Note/p3"),
    (.nothing, "edit  nothing"), (.saved, "edit  saved"),
    (
      .failed(.missingObject(n)),
      "edit  failed managedObjectReferentialIntegrity 133000: no row for n; it was deleted, or not "
        + "saved yet"
    ),
    (
      .failed(.inaccessible(n)),
      "edit  failed inaccessible: NSObjectInaccessibleException, Core Data could not fulfill a fault "
        + "for n; its row was deleted, or its store removed"
    ),
    (
      .failed(.mergeConflicts([Failure.Conflict(object: m, oldVersion: 0, newVersion: 0)])),
      "edit  failed managedObjectMerge 133020: m was changed or deleted in the parent after "
        + "it was loaded; refresh the object, or delete it if the parent no longer has it, and save "
        + "again, or set a merge policy"
    ),
    (
      .failed(
        .validation([
          Failure.Issue(.validationMissingMandatoryProperty, n, PropertyID(0))
        ])), "edit  failed validationMissingMandatoryProperty 1570: n.title is required"
    ),
    (
      .failed(
        .validation([
          Failure.Issue(.validationMissingMandatoryProperty, n, PropertyID(0)),
          Failure.Issue(.validationNumberTooSmall, m, PropertyID(1)),
        ])),
      "edit  failed validationMultipleErrors 1560: n.title is required; "
        + "m.stamp is too small, the limit at least"
    ),
    (
      .failed(.crossStore(n, PropertyID(9))),
      "edit  failed persistentStoreCrossStoreRelation 133010: n.folder refers to an "
        + "object in another store; save the URI of its ID instead"
    ),
    (
      .failed(.differentContexts),
      "edit  failed differentContexts: NSInvalidArgumentException, illegal attempt to establish a "
        + "relationship between objects in different contexts; use object(with:) for one of them"
    ),
    (
      .failed(.noContext),
      "edit  failed noContext: the object no longer belongs to a context; it was deleted, rolled "
        + "back or reset"
    ),
    (.objectIDs([n, m]), "edit  found IDs [n m]"), (.objectIDs([]), "edit  found IDs []"),
    (
      .dictionaries(
        note,
        [
          [PropertyValue(PropertyID(0), draft), PropertyValue(PropertyID(9), .object(temporary))],
          [PropertyValue(PropertyID(0), .null), PropertyValue(PropertyID(9), .null)],
        ]),
      "edit  found [{title: \"draft\", folder: Folder/t5} {title: nil, folder: nil}]"
    ),
    (.dictionaries(note, []), "edit  found []"),
    (
      .values(
        n,
        [
          PropertyContent(PropertyID(1), .integer(3)),
          PropertyContent(PropertyID(9), .object(temporary)),
          PropertyContent(PropertyID(10), collection: []),
        ]), "edit  values n {stamp: 3, folder: Folder/t5, tags: []}"
    ),
    (.values(n, []), "edit  values n {}"), (.flag(true), "edit  yes"), (.flag(false), "edit  no"),
    (
      .uri("x-coredata://00000000-0000-4000-8000-000000000001/Note/p1"),
      "edit  uri x-coredata://00000000-0000-4000-8000-000000000001/Note/p1"
    ),
    (.batched(sets { $0.updated = [m, unnamed] }, number: 0), "edit  batched updated m Note/p3"),
    (.batched(ChangeSets(), number: 0), "edit  batched nothing"),
  ]

  @Test func `the line of an answer stands in the lane of its step`() throws {
    for (event, expected) in Self.answers {
      #expect(try line(event) == expected)
      #expect(EventText.watched(event) == nil)
    }
  }

  /// A successful save has no line (EventText.line(for:of:)), so no claim can name it.
  @Test func `the line of an answer begins with a word that claims know`() throws {
    for (event, line) in Self.answers where event != .saved {
      let claim = "answered  edit " + line.dropFirst("edit  ".count)
      let scenario = try Examples.parse(
        Examples.scenario(steps: Examples.inserts, claims: "  " + claim))
      #expect(scenario.claims.map { $0.text(in: scenario) } == [claim])
    }
  }

  private static let happenings: [(Event, WatchedEvent, String)] = [
    (
      .awakeFromInsert(
        view, n,
        [
          draft, .integer(1), .null, .number(0.5), .date(3), .null, .null,
          .decimal(significand: 150, exponent: -2), .boolean(true), .object(temporary),
        ]),
      .awakeFromInsert,
      "view  awakeFromInsert n {title: \"draft\", stamp: 1, limit: nil, rate: 0.5, when: @3, "
        + "key: nil, body: nil, price: 1.50, done: true, folder: Folder/t5}"
    ),
    (.hookSet(view, n, PropertyID(1), .integer(2)), .set, "view  set n.stamp 2"),
    (
      .receive(view, n, [Received(PropertyID(0), draft), Received(PropertyID(10), nil)]), .receive,
      "view  receive n {title: \"draft\", tags: …}"
    ),
    (.hook(.awakeFromFetch, view, n), .awakeFromFetch, "view  awakeFromFetch n"),
    (.hook(.prepareForDeletion, view, n), .prepareForDeletion, "view  prepareForDeletion n"),
    (.hook(.willSave, view, n), .objectWillSave, "view  objectWillSave n"),
    (.hook(.didSave, view, unnamed), .objectDidSave, "view  objectDidSave Note/p3"),
    (.hook(.willTurnIntoFault, view, n), .willTurnIntoFault, "view  willTurnIntoFault n"),
    (.hook(.didTurnIntoFault, view, n), .didTurnIntoFault, "view  didTurnIntoFault n"),
    (.contextWillSave(view), .contextWillSave, "view  contextWillSave"),
    (.didSave(view, ChangeSets(), number: 0), .didSave, "view  didSave nothing"),
    (
      .didSave(
        view,
        sets {
          $0.inserted = [n, m]
          $0.updated = [unnamed]
        }, number: 0), .didSave,
      "view  didSave inserted n m updated Note/p3"
    ),
    (
      .objectsDidChange(
        view,
        sets {
          $0.inserted = [n]
          $0.refreshed = [m]
        }), .objectsDidChange,
      "view  objectsDidChange inserted n refreshed m"
    ),
    (
      .objectsDidChange(view, sets { $0.invalidatedAll = [n] }), .objectsDidChange,
      "view  objectsDidChange invalidatedAll n"
    ),
    (
      .didMergeChanges(view, sets { $0.deleted = [n] }), .didMergeChanges,
      "view  didMergeChanges deleted n"
    ),
    (
      .awakeFromSnapshot(view, n, .undoInsertion), .awakeFromSnapshotEvents,
      "view  awakeFromSnapshotEvents n undoInsertion"
    ),
    (
      .didSaveObjectIDs(view, sets { $0.deleted = [n] }, number: 0), .didSaveObjectIDs,
      "view  didSaveObjectIDs deleted n"
    ),
    (
      .saveRequest(store, sets { $0.inserted = [m] }), .saveRequest, "store  saveRequest inserted m"
    ),
    (.saveRequest(store, ChangeSets()), .saveRequest, "store  saveRequest nothing"),
    (.willRemoveStore(store, StoreID(0)), .willRemoveStore, "store  willRemoveStore main"),
    (
      .storesDidChange(store, added: [], removed: [StoreID(0)]), .storesDidChange,
      "store  storesDidChange removed main"
    ),
    (
      .storesDidChange(store, added: [StoreID(0)], removed: []), .storesDidChange,
      "store  storesDidChange added main"
    ),
    (.becamePermanent(view, n, unnamed), .becamePermanent, "view  becamePermanent n"),
    (
      .becamePermanent(view, temporary, unnamed), .becamePermanent,
      "view  becamePermanent Note/p3"
    ),
  ]

  @Test func `every other line stands in the context where it happens`() throws {
    for (event, kind, expected) in Self.happenings {
      #expect(try line(event) == expected)
      #expect(EventText.watched(event) == kind)
    }
  }

  @Test func `a transcript line can be a step's transcript`() throws {
    for expected in Self.answers.map(\.1) + Self.happenings.map(\.2) {
      let text = Examples.scenario(steps: "  edit  save\n    > " + expected)
      let scenario = try Examples.parse(text)
      #expect(scenario.items[0].transcript == [expected])
      #expect(ScenarioText.print(scenario) == text)
    }
  }
}

@Suite struct `The name of a failure` {
  private let n = ObjectID.temporary(EntityID(0), serial: 1)

  @Test func `the name of a failure is known for every code`() {
    let codes = (1...200_000).compactMap(ErrorCode.init(rawValue:))
    for code in codes { #expect(FailureName.all.contains(.error(code))) }
    #expect(FailureName.all.count == codes.count + 9)
  }

  @Test func `the name of a failure names each of several issues and all of them`() {
    let failure = Failure.validation([
      Failure.Issue(.validationMissingMandatoryProperty, n, PropertyID(0)),
      Failure.Issue(.validationNumberTooSmall, n, PropertyID(1)),
    ])
    #expect(FailureName(failure) == .error(.validationMultipleErrors))
    #expect(FailureName.error(.validationMultipleErrors).names(failure))
    #expect(FailureName.error(.validationNumberTooSmall).names(failure))
    #expect(!FailureName.error(.validationNumberTooLarge).names(failure))
    #expect(FailureName.noContext.names(.noContext))
  }
}
