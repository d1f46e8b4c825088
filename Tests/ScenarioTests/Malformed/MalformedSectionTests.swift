import Scenario
import Testing

/// Names, sections, stores and coordinators with errors, and the messages about them.
extension `Malformed text` {
  @Test func `an error in a scenario has its line and a sentence`() throws {
    try expectErrors(Self.scenarios, atLeast: 24) { text throws(TextError) in
      _ = try Examples.parse(text)
    }
  }

  @Test func `an empty text is refused`() {
    let messages = [
      "scenario has no name; write 'scenario  NAME' first",
      "scenario has no evidence; write 'evidence  documented', 'observed', 'reported' or 'inferred'",
      "scenario has no section 'model'; write it below the header",
      "scenario has no section 'stack'; write it below the header",
    ]
    var error = TextError(line: 1, message: messages[0])
    error.others = messages.dropFirst().map { TextError(line: 1, message: $0) }
    #expect(throws: error) { try Examples.parse("") }
  }

  private static let scenarios = #"""
    #x
    scenario  a
    evidence  documented
    model
    stack
    ! 1: no space after #; write '# ' and the text

    scenario  a
    model
    stack
    ! 2: scenario has no evidence; write 'evidence  documented', 'observed', 'reported' or \#
    'inferred'

    evidence  documented
    model
    stack
    ! 2: scenario has no name; write 'scenario  NAME' first

    scenario  a
    evidence  sure
    model
    stack
    ! 2: no evidence 'sure'; it is one of 'documented', 'observed', 'reported' and 'inferred'

    scenario  a b
    evidence  documented
    model
    stack
    ! 1: unexpected 'b'; the line should end before it

    scenario  ä
    evidence  documented
    model
    stack
    ! 1: 'ä' is not a valid name for a scenario; use only letters, digits, _ and -

    scenario  a
    evidence  documented
    stack
    ! 3: scenario has no section 'model'; write it below the header

    scenario  a
    evidence  documented
    model
    ! 3: scenario has no section 'stack'; write it below the header

    scenario  a
    evidence  documented
    model
    stack
    claims
    steps
    ! 6: section 'steps' is given twice or too late; the order is model, stack, steps, claims

    scenario  a
    evidence  documented
    model
    stack
    stpes
    ! 5: no section 'stpes'; the sections are 'model', 'stack', 'steps' and 'claims': did you \#
    mean 'steps'?

    scenario  a
    evidence  documented
    model  x.model
    stack
    ! 3: model 'x.model' cannot be read: there is no file of this name

    scenario  a
    evidence  documented
    model  x.model
      A
    stack
    ! 4: model is declared here and named 'x.model' above; one is enough

    scenario  a
    evidence  documented
    model
    stack
        store  x
    ! 5: line is indented by 4 spaces; a section is indented by 2

    scenario  a
    evidence  documented
    model
    stack
      store  x
     store  y
    ! 6: line is indented by 1 space; a section is indented by 2

    scenario  a
    evidence  documented
    model
      A
    stack
    ⇥x
    ! 6: line is indented with a tab; indent with two spaces per level

    scenario  a
    evidence  documented
    model
    stack
      view  mainQueue coordinator store
    ! 5: the stack has no store; write 'store  main' above the contexts

    scenario  a
    evidence  documented
    model
      A
      B
    stack
      store  x  entities A A
    ! 7: entity 'A' is given twice

    scenario  a
    evidence  documented
    model
      A
      B
    stack
      store  x  entities C
    ! 7: store takes entity 'C'; the model has 'A' and 'B'

    scenario  a
    evidence  documented
    model
      A
      B
    stack
      store  x  entities A
      view  mainQueue coordinator store
    steps
      view  insert B as b
    ! 10: no store of coordinator 'store' takes 'B'; name it after a store's 'entities'

    scenario  a
    evidence  documented
    model
    stack
      store  x
      coordinator  c y
    ! 6: coordinator has store 'y'; the stack has 'x'

    scenario  a
    evidence  documented
    model
    stack
      store  x  inMemory
      coordinator  c x
      coordinator  d x
    ! 7: store 'x' is in memory and belongs to 'c'; two coordinators cannot share it, so leave \#
    out inMemory or use another store

    scenario  a
    evidence  documented
    model
      A
    stack
      store  x  entities A inMemory
    ! 6: store takes entity 'inMemory'; the model has 'A'

    scenario  a
    evidence  documented
    model
    stack
      store  x
      store  x
    ! 6: the stack has a store 'x' already; choose another name

    scenario  a
    evidence  documented
    model
    stack
    steps
        > x
    ! 6: line is indented by 4 spaces; a section is indented by 2
    ! 6: misplaced transcript; write it below a step of the outermost level, \#
    indented by 4 spaces
    """#
}
