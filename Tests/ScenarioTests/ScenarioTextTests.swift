import ObjectModel
import Scenario
import Testing
import Vocabulary

@Suite struct `A scenario's text` {
  /// Prints `text` as it stands, and reads the print as an equal scenario.
  private func expectCanonical(_ text: String) throws {
    let scenario = try Examples.parse(text)
    #expect(ScenarioText.print(scenario) == text)
    #expect(try Examples.parse(ScenarioText.print(scenario)) == scenario)
  }

  @Test func `the scenario of the design prints byte for byte`() throws {
    try expectCanonical(Examples.design)
  }

  @Test func `the scenario of the design is read as it is written`() throws {
    let scenario = try Examples.parse(Examples.design)
    let (view, edit, n) = (ContextID(0), ContextID(1), ObjectName(0))
    #expect(scenario.prose.count == 4)
    #expect(scenario.name == "child-save-refires-awakeFromInsert")
    #expect(scenario.evidence == .reported && scenario.source == nil)
    #expect(scenario.quirks == [.parentAwakensInsertedObject])
    #expect(scenario.watch == [.awakeFromInsert, .set, .receive, .didSave])
    #expect(scenario.names == ["n"])
    #expect(scenario.entitiesOfNames == [EntityID(0)])
    #expect(scenario.stack.coordinators == [Stack.Coordinator(name: "store", stores: [StoreID(0)])])
    #expect(scenario.stack[edit].parent == .context(view))
    #expect(
      scenario.items.map(\.step) == [
        AddressedStep(edit, .insert(EntityID(0), as: n)),
        AddressedStep(edit, .set(n, PropertyID(0), .string(Symbol(literal: 0)))),
        AddressedStep(edit, .save), AddressedStep(view, .save),
      ])
    #expect(scenario.items[3].transcript == ["view  didSave inserted n"])
    #expect(scenario.items.map(\.line) == [24, 27, 28, 33])
    #expect(
      scenario.claims.map(\.condition) == [
        .count(.awakeFromInsert, of: n, 2),
        .instance(
          HeldInstance(view, n),
          has: [
            Claim.Expectation(PropertyID(0), .value(.string(Symbol(literal: 0)))),
            Claim.Expectation(PropertyID(1), .value(.integer(1))),
          ]),
        .rows(EntityID(0), are: [.named(n)]),
      ])
  }

  @Test func `a scenario needs no steps and no claims`() throws {
    try expectCanonical(Examples.scenario())
  }

  @Test(arguments: [
    "  SEED0, LC-02", "\ncontradicts  what they promise",
    "\nquirk  childKeepsTemporaryID rowHasTwoInstances",
    "\nprofile  legacy", "\ninterleave  every", "\ninterleave  choices",
    "\ninterleave  choices 0 1 2",
    "\nwatch  awakeFromInsert awakeFromFetch prepareForDeletion objectWillSave objectDidSave "
      + "willTurnIntoFault didTurnIntoFault objectsDidChange contextWillSave didSave "
      + "didMergeChanges receive becamePermanent set",
    "\nwatch  didSaveObjectIDs awakeFromSnapshotEvents saveRequest willRemoveStore storesDidChange",
    "\nquirk  contextWillSaveComesFirst mergeReachesChildren\nprofile  documented",
    "  both\ncontradicts  c\nquirk  rowHasTwoInstances\nprofile  current\nwatch  set\ninterleave  every",
  ])
  func `a scenario round-trips every line of the header`(header: String) throws {
    try expectCanonical(Examples.scenario(header: header))
  }

  @Test(arguments: [
    "\n  more  privateQueue coordinator store", "\n  more  mainQueue parent edit autoMerge",
    "\n  more  privateQueue parent edit policy overwrite autoMerge",
    "\n  more  privateQueue parent edit policy rollback",
    "\n  more  privateQueue parent edit policy mergeByPropertyStoreTrump",
    "\n  more  privateQueue parent edit policy mergeByPropertyObjectTrump",
    "\n  more  privateQueue parent edit undoManager",
    "\n  more  privateQueue coordinator store policy overwrite autoMerge undoManager zeroStaleness "
      + "keepsInaccessibleFaults retainsRegisteredObjects propagatesDeletesAtSave discardable hidden",
    "\n  observe  didSaveObjectIDs view\n    edit  perform\n      mergeRemoteChanges delivered",
    "\n  observe  didSave edit", "\n  observe  objectsDidChange view\n    save",
    "\n  observe  contextWillSave edit\n    processPendingChanges",
    "\n  observe  didSave edit\n    view  performAndWait\n      mergeChanges delivered\n      edit  save",
  ])
  func `a scenario round-trips every line of the stack`(stack: String) throws {
    try expectCanonical(Examples.scenario(stack: stack))
  }

  @Test func `a scenario round-trips stores and coordinators`() throws {
    let text = Examples.scenario().replacing(
      "  store  main\n  view  mainQueue coordinator store",
      with: """
          store  main
          store  rest  entities Folder Tag
          coordinator  first  main rest
          coordinator  store  rest
          view  mainQueue coordinator first
          more  mainQueue coordinator store
        """)
    try expectCanonical(text)
  }

  @Test func `a scenario round-trips stores in memory and words that are also names`() throws {
    let text = Examples.scenario(
      steps: """
          view  insert Note as n
          view  assign n limit
          view  fetch Note stores +limit main counting
          view  fetch Note sort +limit dictionaries title +limit
          view  removeStore limit
          view  performBackgroundTask
            insert Note as m
            directly
              set m.title nil
          view  set m.stamp 1
          view  object view.m
        """
    ).replacing(
      "  store  main\n  view  mainQueue coordinator store",
      with: """
          store  main  inMemory
          store  limit  inMemory entities Folder Tag
          view  privateQueue coordinator store
        """)
    try expectCanonical(text)
    let scenario = try Examples.parse(text)
    #expect(scenario.stack.stores.map(\.isInMemory) == [true, true])
    guard case .fetch(let request, as: nil) = scenario.items[2].step.step else {
      Issue.record("the third step is a fetch")
      return
    }
    #expect(request.affectedStores == [StoreID(1), StoreID(0)])
    #expect(request.resultType == .count)
  }

  @Test func `the settings of a context are read as they are written`() throws {
    let stack =
      "\n  more  privateQueue parent edit undoManager zeroStaleness keepsInaccessibleFaults "
      + "retainsRegisteredObjects propagatesDeletesAtSave discardable hidden"
    let contexts = try Examples.parse(Examples.scenario(stack: stack)).stack.contexts
    let (plain, special) = (contexts[1], contexts[2])
    #expect(special.hasUndoManager && !plain.hasUndoManager)
    #expect(special.hasZeroStaleness && !plain.hasZeroStaleness)
    #expect(!special.shouldDeleteInaccessibleFaults && plain.shouldDeleteInaccessibleFaults)
    #expect(special.retainsRegisteredObjects && !plain.retainsRegisteredObjects)
    #expect(!special.propagatesDeletesAtEndOfEvent && plain.propagatesDeletesAtEndOfEvent)
    #expect(special.isDiscardable && !plain.isDiscardable)
    #expect(special.isHidden && !plain.isHidden)
  }

  @Test(arguments: [
    "edit  insert Note as m", "edit  get n.title", "edit  get n.tags", "edit  set n.title \"x\\n\"",
    "edit  set n.title nil", "edit  set n.stamp -5", "edit  set n.rate 1.5", "edit  set n.when @9",
    "edit  set n.key 00000000-0000-0000-0000-000000000001", "edit  set n.body <x>",
    "edit  set n.price 1.10", "edit  set n.done true", "edit  relate n.folder f",
    "edit  relate n.folder view.f", "edit  relate n.folder nil", "edit  add n.tags t",
    "edit  add n.tags view.t", "edit  remove n.tags t", "edit  replace n.tags [t u]",
    "edit  replace n.tags [view.t]", "edit  replace n.tags []", "edit  delete n",
    "edit  fetch Note",
    "edit  fetch Thing",
    "edit  fetch Note where title == \"x\" and folder == f sort title -stamp offset 1 limit 2 "
      + "savedState realised",
    "edit  fetch Note where folder != view.f and folder == nil and stamp < 3 and rate > 0.5",
    "edit  fetch Note sort +limit limit 3", "edit  fetch Note sort -limit",
    "edit  count Note", "edit  count Note where title == nil savedState",
    "edit  object edit.n", "edit  object view.n", "edit  object view.n as b",
    "edit  existingObject view.n as b", "edit  existingObject edit.n",
    "edit  registeredObject view.n", "edit  registeredObject view.n as b",
    "edit  processPendingChanges", "edit  save", "edit  refresh n", "edit  refresh n merging",
    "edit  refreshAllObjects", "edit  reset", "edit  rollback", "edit  obtainPermanentIDs n f",
    "edit  mergeChanges didSave view 1", "edit  mergeChanges delivered", "edit  release n",
    "edit  perform", "edit  performAndWait", "edit  sleep 20", "view  tick",
    "edit  setPrimitive n.title \"x\"", "edit  setPrimitive n.stamp nil", "edit  insertAgain n",
    "edit  assign n main", "edit  detectConflicts n", "edit  validate n forInsert",
    "edit  validate n forUpdate", "edit  validate n forDelete", "edit  changedValues n",
    "edit  committedValues n", "edit  changedValuesForCurrentEvent n",
    "edit  hasPersistentChangedValues n", "edit  hasChanges", "edit  uriRepresentation n",
    "edit  objectForURI view.n", "edit  objectForURI edit.n as b", "edit  executeSaveRequest",
    "edit  batchUpdate Note {title: \"x\", stamp: 3} where stamp > 3 and folder == view.f",
    "edit  batchUpdate Note {title: nil}", "edit  batchUpdate Note {}",
    "edit  batchDelete Thing", "edit  batchDelete Note where folder == f",
    "edit  batchInsert Note {}", "edit  batchInsert Note {title: \"a, b}\"} {} {stamp: 1}",
    "edit  mergeChanges batch edit 1", "edit  mergeRemoteChanges batch edit 2",
    "edit  mergeRemoteChanges batch edit latest",
    "edit  mergeRemoteChanges didSave edit 1", "edit  mergeRemoteChanges delivered",
    "edit  mergeHistory", "edit  undo", "edit  redo", "edit  disableUndoRegistration",
    "edit  enableUndoRegistration", "edit  removeStore main", "edit  addStore main",
    "edit  destroyStore main", "edit  destroyStore main anew", "edit  policy overwrite",
    "edit  setMetadata main 3", "edit  metadata main", "edit  refuseWrite main 2",
    "edit  discard", "edit  suspend", "edit  resume",
    "edit  directly\n    set n.title \"x\"\n    view  save", "edit  directly",
    "edit  fetch Note withoutSubentities refreshing stores main ids",
    "edit  fetch Note counting", "edit  fetch Note dictionaries",
    "edit  fetch Note where title == nil sort title limit 2 dictionaries title stamp folder",
    "edit  count Note withoutSubentities stores main",
    "edit  perform\n    insert Note as m\n    view  save\n    performAndWait\n      set m.title \"y\"",
    "edit  save\n    > edit  didSave inserted n\n    >\n    > # > \"  ",
    "edit  perform\n    save\n    > edit  saved",
  ])
  func `a scenario round-trips every step`(step: String) throws {
    try expectCanonical(Examples.scenario(steps: Examples.inserts + "\n  " + step))
  }

  @Test(
    arguments: [
      "count  awakeFromInsert n == 2", "count  becamePermanent n == 0", "count  set n == 1",
      "count  didSave view == 1", "count  didMergeChanges edit == 10",
      "count  awakeFromSnapshotEvents n == 1", "count  didSaveObjectIDs edit == 1",
      "count  saveRequest store == 2", "count  willRemoveStore store == 0",
      "count  storesDidChange store == 1", "count  failed managedObjectMerge == 2",
      "equal  view.n {title: \"draft\", stamp: 1}", "equal  view.n {}",
      "equal  view.n {folder: f, tags: [t u]}", "equal  edit.n {folder: nil, tags: []}",
      "equal  edit.n {folder: Folder/t5, tags: [Tag/p3 t]}",
      "equal  edit.n {when: @-1, price: 1.50, done: nil, body: <a\\>>}",
      "equal  store.Note [n]", "equal  store.Note []", "equal  store.Thing [f Folder/p3]",
      "equal  store.n {title: \"a, b]}\"}",
      "temporary  edit.n", "permanent  edit.n", "fault  edit.n", "realised  edit.n",
      "deleted  edit.n", "inserted  edit.n", "updated  edit.n", "unregistered  edit.n",
      "same  edit.n edit.f", "distinct  edit.n view.n", "changed  view", "clean  edit",
      "answered  view counted 2", "answered  edit nothing",
      "answered  view found [{title: \"a  b\"}]",
      "sometimes  answered  edit failed noContext: gone",
      "failed  inaccessible", "failed  differentContexts", "failed  noContext", "succeeded",
      "deadlock", "no  deadlock", "shows  lost update", "no  dirty read",
      "sometimes  shows  disagreement on events: save",
      "always  succeeded", "sometimes  no  deadlock",
      "sometimes  equal  store.Note [n]",
    ] + FailureName.all.map { "failed  \($0.text)" })
  func `a scenario round-trips every claim`(claim: String) throws {
    try expectCanonical(Examples.scenario(steps: Examples.inserts, claims: "  " + claim))
  }

  @Test func `a scenario round-trips several claims`() throws {
    try expectCanonical(
      Examples.scenario(claims: "  clean  view\n  always  deadlock\n  succeeded"))
  }

  @Test func `a scenario may leave its model to a file`() throws {
    let text = "scenario  a\nevidence  inferred\n\nmodel  Fixtures/A b.model\n\nstack\n"
    let model = try ModelText.parse("Note\n  title  string? = \"x\"\n")
    let scenario = try ScenarioText.parse(text) { path in
      #expect(path == "Fixtures/A b.model")
      return .success(model)
    }
    #expect(scenario.model == model)
    #expect(scenario.modelPath == "Fixtures/A b.model")
    #expect(ScenarioText.print(scenario) == text)
  }

  @Test func `a scenario prints in one way, however it was spaced and ordered`() throws {
    let loose = Examples.design
      .replacing("edit  save", with: "edit save  ")
      .replacing("\nmodel", with: "model")
      .replacing("steps\n", with: "steps\n\n\n")
      .replacing("evidence  reported\n", with: "")
      .replacing("watch  ", with: "evidence reported\nwatch ")
      .replacing(
        "{title: \"draft\", stamp: 1}\n  equal", with: "{ title:\"draft\",stamp:1 }\n  equal")
    #expect(ScenarioText.print(try Examples.parse(loose)) == Examples.design)
    #expect(try Examples.parse(loose) == Examples.parse(Examples.design))
  }

  @Test func `a scenario may use a name above the step that binds it`() throws {
    let stack = "\n  observe  didSave edit\n    set b.title \"seen\""
    let steps = "  edit  object view.n as b\n  edit  insert Note as n"
    let scenario = try Examples.parse(Examples.scenario(stack: stack, steps: steps))
    #expect(scenario.names == ["b", "n"])
    #expect(scenario.entitiesOfNames == [EntityID(0), EntityID(0)])
    try expectCanonical(Examples.scenario(stack: stack, steps: steps))
  }

  @Test func `a name stands for the same object everywhere`() throws {
    let steps = "  edit  insert Note as n\n  view  object n\n  view  object edit.n as n"
    let scenario = try Examples.parse(Examples.scenario(steps: steps))
    let (view, edit, n) = (ContextID(0), ContextID(1), ObjectName(0))
    #expect(scenario.items[1].step.step == .object(with: HeldInstance(view, n), as: n))
    #expect(scenario.items[2].step.step == .object(with: HeldInstance(edit, n), as: n))
  }

  @Test func `a scenario counts what a coordinator posts under its name`() throws {
    let text = Examples.scenario(claims: "  count  saveRequest view == 2").replacing(
      "  store  main\n  view  mainQueue coordinator store",
      with: """
          store  main
          coordinator  first  main
          coordinator  view  main
          view  mainQueue coordinator first
        """)
    try expectCanonical(text)
    #expect(
      try Examples.parse(text).claims.map(\.condition) == [
        .countCoordinated(.saveRequest, by: CoordinatorID(1), 2)
      ])
  }

  @Test func `equality ignores the lines on which items stood`() throws {
    var scenario = try Examples.parse(Examples.design)
    let other = scenario
    scenario.items[0].line = 99
    #expect(scenario == other)
    #expect(Set([scenario, other]).count == 1)
  }
}
