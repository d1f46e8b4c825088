import Failures
import ObjectModel
import Scenario
import Testing
import Vocabulary

@Suite struct `A promise in a stack` {
  private static func text(_ promise: String) -> String {
    """
    scenario  test
    evidence  observed

    model
      Note
        title  string?
        stars  integer?
        price  decimal?
        folder  Folder? inverse notes
      Folder
        name  string?
        notes  Note* inverse folder

    stack
      store  main
      view  mainQueue coordinator store
      edit  privateQueue parent view
      entry  finish
        edit  save
      promise  \(promise)

    steps
      view  insert Note as n

    """
  }

  private func promise(_ line: String) throws(TextError) -> Promise {
    try Examples.parse(Self.text(line)).stack.promises[0]
  }

  @Test(arguments: [
    "unique Note.title", "unique Note.title and folder", "unique Note.title where stars > 3",
    "every Note has folder != nil", "every Note where stars > 3 and title != nil has folder != nil",
    "every Folder has notes.@count <= 3 in view", "every Note has (stars > 3 or stars == nil)",
    "count Note <= 1", "count Note where stars == nil != 2 in store view", "count Note >= 1 always",
    "every Note has title != \"two  spaces, and a \\\" mark  \"",
    "clean edit after finish", "clean edit after finish or failure", "finish saves only edit view",
    "finish saves only edit",
    "count Note <= 1 after finish", "unique Note.title in store view after finish",
    "sum Note.stars == 100 in view edit at rest", "sum Note.price where folder != nil < 0.5",
    "eventually unique Note.title", "eventually every Note has folder != nil in store view",
    "eventually count Note <= 1 after finish", "eventually clean edit after finish",
    "eventually sum Note.stars == 3 always", "count Note <= 1 until count Folder >= 1",
    "unique Note.title until every Note has stars > 3 in view always",
    "every Note where stars > 3 has folder != nil until changed edit",
    "count Note <= 1 until clean view in store view at rest",
    "count Note <= 1 until sum Note.stars > 3 after finish",
    "finish keeps Folder.notes", "finish keeps Note.title and folder",
    "view shows the store at rest", "no objectsDidChange in edit twice for one change",
  ])
  func `a promise prints as it stands`(promise: String) throws {
    let text = Self.text(promise)
    #expect(ScenarioText.print(try Examples.parse(text)) == text)
  }

  /// An entry point or a context can have the name of a keyword.
  @Test(arguments: [
    ("unique Note.title", FailureSubject.Statement.unique),
    ("eventually unique Note.title", .unique),
    ("every Note has folder != nil", .every), ("count Note <= 1 after finish", .count),
    ("sum Note.stars == 100", .sum), ("clean edit after done or failure", .clean),
    ("eventually clean edit after done", .clean), ("done saves only edit", .savesOnly),
    ("count saves only edit", .savesOnly), ("delete keeps Folder.notes", .keeps),
    ("view shows the store at rest", .showsStore),
    ("no objectsDidChange in view twice for one change", .announcesOnce),
  ])
  func `the text of a broken promise tells its statement`(
    text: String, statement: FailureSubject.Statement
  ) {
    #expect(FailureSubject.promise(text).statement == statement)
    #expect(FailureSubject.error(.managedObjectConstraintMerge).statement == nil)
  }

  @Test func `a promise is read as it is written`() throws {
    let unique = try promise("unique  Note.title  and folder in store view always")
    #expect(unique.text == "unique Note.title and folder")
    #expect(unique.claim.statement == .unique([PropertyID(0), PropertyID(3)]))
    #expect(unique.places == [.stores, .context(ContextID(0))] && unique.occasion == .always)
    let sum = try promise("sum Note.price where stars > 3 == 1.50 at rest")
    #expect(
      sum.claim.statement
        == .sum(PropertyID(2), .equal, .decimal(significand: 150, exponent: -2)))
    #expect(sum.claim.condition != nil && sum.places == [.stores] && sum.occasion == .atRest)
    #expect(try promise("count Note <= 1 after saves").occasion == .afterSaves)
  }

  @Test func `a promise has the course that it is written with`() throws {
    #expect(try promise("count Note <= 1").course == .throughout)
    #expect(try promise("eventually  count Note <= 1").course == .eventually)
    let until = try promise("count Note <= 1  until count Folder >= 2 in view")
    #expect(until.text == "count Note <= 1 until count Folder >= 2")
    #expect(
      until.course
        == .until(.data(DataClaim(entity: EntityID(1), .count(.greaterOrEqual, 2)))))
    #expect(until.claims.map(\.entity) == [EntityID(0), EntityID(1)])
    let changed = try promise("count Note <= 1 until changed edit")
    #expect(changed.course == .until(.changed(ContextID(1))))
    // Without the context that ends it, the promise means something else.
    #expect(changed.contexts == [ContextID(1)] && changed.without(ContextID(1)) == nil)
    #expect(
      changed.mapContexts { _ in ContextID(0) }.course == .until(.changed(ContextID(0))))
    let keeps = try Examples.parse(Self.text("finish keeps Note.title and folder")).stack
    #expect(
      keeps.entryPoints[0].promises.map(\.statement)
        == [.keeps(EntityID(0), [PropertyID(0), PropertyID(3)])])
    #expect(keeps.namesEntities && keeps.promisedEntities == [EntityID(0)])
    let shows = try Examples.parse(Self.text("view shows  the store at rest")).stack
    #expect(shows.contextPromises.map(\.text) == ["view shows the store at rest"])
    #expect(!shows.namesEntities)
  }

  @Test func `a promise about data can name an entry point`() throws {
    let text = Self.text("count Note <= 1 in store edit after finish")
    let stack = try Examples.parse(text).stack
    #expect(stack.promises.isEmpty)
    let promise = try #require(stack.entryPoints[0].promises.first)
    #expect(promise.text == "count Note <= 1 after finish")
    #expect(promise.data?.places == [.stores, .context(ContextID(1))])
    #expect(promise.without(ContextID(1))?.data?.places == [.stores])
  }

  @Test(arguments: [
    ("", "expected a promise, such as 'unique', but the line ends"),
    (
      "uniqe Note.title",
      "no promise 'uniqe'; a promise begins with the name of an entry point or a context, or with "
        + "'unique',"
    ),
    ("unique Nota.title", "promise names entity 'Nota'"),
    ("unique Note", "'.' and the property that is unique"),
    ("unique Note.title and title", "'title' is given twice"),
    ("unique Folder.notes", "'notes' has many values"),
    ("every Note folder != nil", "expected 'has' instead of 'folder'"),
    ("every Note has folder == n", "a promise applies to every program"),
    ("count Note", "expected a relation, such as '==' or '<=', but the line ends"),
    ("count Note <= few", "a count from 0"),
    ("sum Note.title == 3", "'title' is not a number"),
    ("count Note <= 1 in nowhere", "promise names context 'nowhere'"),
    ("count Note <= 1 in view view", "'view' is given twice"),
    ("count Note <= 1 at noon", "expected 'rest' instead of 'noon'"),
    ("clean nowhere after finish", "promise names context 'nowhere'"),
    ("clean edit after lunch", "no entry point 'lunch'; the stack has 'finish'"),
    ("clean edit finish", "expected 'after' instead of 'finish'"),
    ("count Note <= 1 after lunch", "no entry point 'lunch'; the stack has 'finish'"),
    ("count Note <= 1 after", "'saves' or the name of an entry point"),
    ("clean edit after finish always", "unexpected 'always'"),
    ("clean edit after finish or", "expected 'failure'"),
    ("finish saves edit", "expected 'only' instead of 'edit'"),
    ("finish saves only", "the name of a context"),
    ("finish saves only edit edit", "'edit' is given twice"),
    ("count Note <= 1 soon", "unexpected 'soon'"),
    ("eventually", "expected a claim about data, such as 'unique', but the line ends"),
    ("eventually view", "no claim 'view'; a claim after 'eventually' begins with 'unique',"),
    ("eventually count Note <= 1 at rest", "'eventually' includes the moment at rest"),
    ("eventually count Note <= 1 until clean view", "has 'eventually' or 'until', not both"),
    ("eventually clean edit", "expected 'after', but the line ends"),
    ("count Note <= 1 until", "expected a claim, such as 'count' or 'changed', but the line ends"),
    (
      "count Note <= 1 until soon",
      "no claim 'soon'; a claim after 'until' begins with 'unique', 'every', 'count', 'sum', "
        + "'changed' and 'clean'"
    ),
    ("count Note <= 1 until changed nowhere", "promise names context 'nowhere'"),
    ("finish keeps", "expected the name of an entity, but the line ends"),
    ("finish keeps Note", "expected '.' and the property that is kept, but the line ends"),
    ("finish keeps Note.titel", "no property 'titel'"),
    ("finish keeps Note.title and title", "'title' is given twice"),
    ("finish keeps Note.title in view", "unexpected 'in'"),
    ("finish needs Note", "expected 'saves only' or 'keeps' after the name of an entry point"),
    ("view displays the store", "expected 'shows' instead of 'displays'"),
    ("view shows the store", "expected 'at', but the line ends"),
    ("no didSave in view", "expected 'objectsDidChange' instead of 'didSave'"),
    ("no objectsDidChange in view twice", "expected 'for', but the line ends"),
  ])
  func `a promise that makes no sense says what would`(line: String, message: String) throws {
    let error = #expect(throws: TextError.self) { try Examples.parse(Self.text(line)) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `a promise may begin with a word that is an entry point's name, too`() throws {
    let text = Self.text("count Note <= 1").replacing("entry  finish", with: "entry  count")
    let stack = try Examples.parse(text).stack
    #expect(stack.promises.count == 1 && stack.entryPoints[0].promises.isEmpty)
    let calls = text.replacing("count Note <= 1", with: "count saves only edit")
    #expect(try Examples.parse(calls).stack.entryPoints[0].promises.count == 1)
  }

  @Test func `a promise stands below everything else`() throws {
    let text = Self.text("count Note <= 1\n  flag  merging")
    let error = #expect(throws: TextError.self) { try Examples.parse(text) }
    #expect(
      error?.message.contains("flag is below the first promise") == true,
      "\(error?.message ?? "")")
  }
}
