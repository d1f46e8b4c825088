import ObjectModel
import Scenario
import Testing
import Vocabulary

/// Returns a design with these lines of the stack from line 4 on.
private func design(_ stack: String, header: String = "") -> String {
  "stack  test\norigin  reported  seed 000\(header)\n\n\(stack)\n"
}

private let smallest = """
    store  main
    view  mainQueue coordinator store
  """

private func noteModel(_ path: String) -> Result<ObjectModel, UnreadableModel> {
  guard path == "Note.model",
    let model = try? ModelText.parse("Note\n  title  string?\n  views  integer?\n")
  else { return Examples.noFile(path) }
  return .success(model)
}

private func parse(_ text: String) throws(TextError) -> StackDesign {
  try StackDesignText.parse(text, model: noteModel)
}

@Suite struct `A stack in a file of its own` {
  private func expectCanonical(_ text: String) throws {
    let design = try parse(text)
    #expect(StackDesignText.print(design) == text)
    #expect(try parse(StackDesignText.print(design)) == design)
  }

  @Test(arguments: [
    design(smallest),
    "# What for.\n#\n#  And why.\n\n" + design(smallest),
    "stack  x-1\norigin  inferred\n\n" + smallest + "\n",
    design(
      """
        time  read 2 write 10 budget 100
        store  main
        store  more  inMemory
        queue  writer
        coordinator  one  main
        coordinator  other  more
        root  privateQueue coordinator one policy overwrite autoMerge
        view  mainQueue parent root
        work  confinement writer coordinator other
        entry  saveEverything
          view  save
          root  perform
            save
        entry  twice
          view  call saveEverything
          work  dispatchAsync writer
            work  save
        observe  didSave view
          call saveEverything
          root  performAndWait
            mergeChanges delivered
      """),
    design(
      """
        store  main
        proxy  privateQueue coordinator store hidden
        view  mainQueue parent proxy
        edit  mainQueue parent view policy overwrite discardable
      """),
    design(
      smallest + """

          controller  list view Note where title == "seen" sort title
          entry  look
            view  fetch Note where title == "looked for"
            view  performFetch list
        """, header: "\nmodel  Note.model"),
    design(
      """
        store  main  entities Note
        view  mainQueue coordinator store
      """, header: "\nmodel  Note.model"),
  ])
  func `a stack in a file prints as it stands`(text: String) throws { try expectCanonical(text) }

  @Test func `a stack in a file can be written less neatly`() throws {
    let text = design(smallest)
    let other = text.replacing("  ", with: "   ").replacing("\n   ", with: "\n  ")
      .replacing("\n\n", with: "\n\n\n")
    #expect(other != text)
    #expect(StackDesignText.print(try parse(other)) == text)
  }

  @Test func `a stack in a file is read as it is written`() throws {
    let text = design(
      smallest + "\n  entry  look\n    view  fetch Note", header: "\nmodel  Note.model")
    let design = try parse("# Prose.\n\n" + text)
    #expect(design.name == "test" && design.prose == ["Prose."])
    #expect(design.origin == .reported && design.source == "seed 000")
    #expect(design.modelPath == "Note.model")
    #expect(design.stack.namesEntities && !design.stack.namesObjects)
    let request = FetchRequest(entity: EntityID(0))
    #expect(
      design.stack.entryPoints == [
        Stack.EntryPoint(name: "look", steps: [AddressedStep(ContextID(0), .fetch(request))])
      ])
    #expect(try !parse(`A stack in a file of its own`.plain).stack.namesEntities)
  }

  /// An app's own stack has no other source than its author.
  @Test func `a stack in a file needs no origin`() throws {
    let design = try parse("stack  mine\n\n  store  main\n  view  mainQueue coordinator store\n")
    #expect(design.origin == .inferred && design.source == nil)
  }

  private static let plain = design(smallest + "\n  entry  all\n    view  save")

  @Test(arguments: [
    ("", 1, "stack has no name; write 'stack  NAME' first"),
    ("origin  reported\n", 1, "stack has no name; write 'stack  NAME' first"),
    ("stack\n", 1, "expected the stack's name, but the line ends"),
    (
      "stack  a/b\n", 1, "'a/b' is not a valid name for a stack; use only letters, digits, _ and -"
    ),
    ("stack  a\nstack  b\n", 2, "'stack' is given twice; once is enough"),
    (
      "stack  a\nevidence  reported\n", 2,
      "no key 'evidence'; a stack can have 'stack', 'origin' and 'model'"
    ),
    (
      "stack  a\norigin  rumoured\n", 2,
      "no evidence 'rumoured'; it is one of 'documented', 'observed', 'reported' and 'inferred'"
    ),
    ("stack  a\norigin\n", 2, "expected the kind of evidence, but the line ends"),
    (
      "stack  a\norigin  reported\n# Late.\n", 3,
      "unexpected comment; only the description at the top can begin with #"
    ),
    ("stack  a\norigin  reported\nmodel\n", 3, "expected the path of a model, but the line ends"),
    (
      "stack  a\norigin  reported\nmodel  Nota.model\n", 3,
      "model 'Nota.model' cannot be read: there is no file of this name"
    ),
    (
      design("  store  main"), 4,
      "stack has no context; write 'store  main' and 'view  mainQueue coordinator store'"
    ),
    (
      "stack  a\norigin  reported\n", 2,
      "stack has no context; write 'store  main' and 'view  mainQueue coordinator store'"
    ),
    (
      design("  store  main\n  view  mainQueue coordinator store hidden"), 5,
      "every context is hidden; programs have no context to use"
    ),
    (design(" store  main"), 4, "line is indented by 1 space; the stack is indented by 2"),
    (
      design(smallest + "\nsteps\n  view  save"), 6,
      "line is not indented; below the header, the stack is indented by 2"
    ),
    (
      design("    store  main"), 4,
      "line is indented by 4 spaces; a part of the stack is indented by 2"
    ),
    (
      design("  store  main  entities Note"), 4,
      "store takes entity 'Note' without a model; write 'model  PATH' above the stack"
    ),
    (
      design(smallest + "\n  entry  look\n    view  fetch Note"), 7,
      "step fetches entity 'Note' without a model; write 'model  PATH' above the stack"
    ),
    (
      design(
        smallest + "\n  entry  look\n    view  fetch Nota", header: "\nmodel  Note.model"), 8,
      "step fetches entity 'Nota'; the model has 'Note': did you mean 'Note'?"
    ),
  ])
  func `a malformed stack in a file is refused`(text: String, line: Int, message: String) {
    #expect(throws: TextError(line: line, message: message), "\(text)") { try parse(text) }
  }

  @Test(arguments: [
    (
      "  store  main\n  edit  mainQueue parent view\n  view  mainQueue coordinator store", 5,
      "'view' is declared below; declare parents first"
    ),
    (
      smallest + "\n  edit  privateQueue parent view\n  entry  e\n  view  save", 8,
      "line is indented by 2 spaces; a step of an entry point is indented by 4"
    ),
    (
      smallest + "\n  entry  e\n    view  save\n  view  reset", 8,
      "line is indented by 2 spaces; a step of an entry point is indented by 4"
    ),
    (
      smallest + "\n  observe  didSave view\n   save", 7,
      "line is indented by 3 spaces; a step of an observer is indented by 4"
    ),
    (
      smallest + "\n  save  privateQueue parent view", 6,
      "'save' cannot be a context's name; it has another meaning in steps: \(Step.Kind.reservedContextNamesText)"
    ),
    (
      "  store  main\n  view  mainQueue parent view", 5,
      "'view' cannot be its own parent; name another"
    ),
    (
      "  store  main\n  old  confinement worker coordinator store\n  queue  worker", 5,
      "'worker' is declared below; declare queues above the contexts"
    ),
    (
      "  store  main\n  view  mainQueue coordinator psc\n  coordinator  psc main", 5,
      "'psc' is declared below; declare coordinators above the contexts"
    ),
    (
      "  coordinator  psc main\n  store  main", 4,
      "'main' is declared below; declare stores above the coordinators"
    ),
    (
      "  view  mainQueue coordinator store", 4,
      "the stack has no store; write 'store  main' above the contexts"
    ),
    (
      "  view  mainQueue coordinator store\n  store  main", 4,
      "the store is declared below; declare stores above the contexts"
    ),
    (
      smallest + "\n  entry  e\n    view  call e", 7,
      "entry point 'e' calls itself, which would never end"
    ),
    (
      smallest + "\n  entry  e\n    view  call f\n  entry  f\n    view  save", 7,
      "'f' is declared below; an entry point can call only entry points above it"
    ),
    (
      smallest + "\n  entry  e\n    view  dispatchAsync main\n      view  save", 7,
      "'main' is not a queue of the app; steps for the main queue are enqueued by 'view  perform', for a "
        + "mainQueue context"
    ),
    (
      smallest + "\n  entry  e\n  entry  f\n    view  save", 6,
      "entry point 'e' has no steps; write its steps below it, indented"
    ),
    (
      smallest + "\n  observe  didSave view\n  observe  didSave view\n    save", 6,
      "the observer of didSave has no steps; write its steps below it, indented"
    ),
    (
      smallest + "\n  observe  didSave view\n    perform\n    save", 7,
      "'perform' has no steps; write its steps below it, indented"
    ),
    (
      smallest + "\n  entry  e\n    view  mergeChanges delivered", 7,
      "only an observer of 'didSave' receives a save; write the step there, or 'didSave CONTEXT 1'"
    ),
    (
      "  store  main\n  queue  worker\n  old  confinement worker coordinator store\n  entry  e\n"
        + "    old  tick", 8,
      "only the main queue has a run loop; 'tick' is for a 'mainQueue' or 'confinement main' context"
    ),
  ])
  func `a misplaced or missing line is an error`(stack: String, line: Int, message: String) {
    let error = #expect(throws: TextError.self, "\(stack)") { try parse(design(stack)) }
    #expect(error?.description == TextError(line: line, message: message).description)
  }

  @Test func `a stack may end turns of the run loop for a main-thread context`() throws {
    let text = design(
      "  store  main\n  old  confinement main coordinator store\n  entry  e\n    old  tick")
    #expect(StackDesignText.print(try parse(text)) == text)
  }

  /// Each program that runs on the stack has objects and names of its own.
  @Test(arguments: [
    "view  delete n", "view  set n.title \"x\"", "view  object view.n", "view  insert Note as n",
    "view  existingObject n as m", "view  fetch Note where title == n",
  ])
  func `a stack in a file names no objects`(step: String) {
    let text = design(smallest + "\n  entry  e\n    \(step)", header: "\nmodel  Note.model")
    let message =
      "'n' would name an object, but a stack cannot name objects; the programs that run on it "
      + "choose their own names"
    let insertion =
      "a stack cannot name objects, so it cannot insert them; write 'batchInsert Note {}', or leave "
      + "inserts to generated programs"
    let expected =
      step.contains("where")
      ? TextError(line: 8, message: "'n' is not of type string; write \"text\" or nil")
      : TextError(line: 8, message: step.contains("insert") ? insertion : message)
    #expect(throws: expected) { try parse(text) }
  }
}
