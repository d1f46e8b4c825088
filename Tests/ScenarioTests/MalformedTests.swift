import ObjectModel
import Scenario
import Testing

/// Malformed texts, each with the line and the sentence of its error.
///
/// A tab is written as ⇥ and a carriage return as ␍.
@Suite struct `Malformed text` {
  private struct Example {
    let text: String
    let error: TextError
  }

  private func examples(_ table: String) throws -> [Example] {
    let entries = table.split(separator: "\n\n")
    return try entries.map { entry in
      let parts = entry.split(separator: "\n! ", maxSplits: 1)
      let error = try #require(parts.last).split(separator: ": ", maxSplits: 1)
      let text = String(parts[0]).replacing("⇥", with: "\t").replacing("␍", with: "\r")
      return Example(
        text: text, error: TextError(line: try #require(Int(error[0])), message: String(error[1])))
    }
  }

  func expectErrors(
    _ table: String, atLeast count: Int, reading read: (String) throws(TextError) -> Void
  ) throws {
    let examples = try examples(table)
    #expect(examples.count >= count)
    for example in examples {
      #expect(throws: example.error, "\(example.text)") { try read(example.text) }
    }
  }

  @Test func `in a model is named by its line and a sentence`() throws {
    try expectErrors(Self.models, atLeast: 68) { text throws(TextError) in
      _ = try ModelText.parse(text)
    }
  }

  @Test func `in a scenario is named by its line and a sentence`() throws {
    try expectErrors(Self.scenarios, atLeast: 22) { text throws(TextError) in
      _ = try Examples.parse(text)
    }
  }

  @Test func `in a header is named by its line and a sentence`() throws {
    try expectErrors(Self.headers, atLeast: 17) { text throws(TextError) in
      _ = try Examples.parse(Examples.scenario(header: "\n" + text))
    }
  }

  @Test func `in a stack is named by its line and a sentence`() throws {
    try expectErrors(Self.stacks, atLeast: 18) { text throws(TextError) in
      _ = try Examples.parse(Examples.scenario(stack: "\n" + text))
    }
  }

  @Test func `in a step is named by its line and a sentence`() throws {
    try expectErrors(Self.steps, atLeast: 47) { text throws(TextError) in
      _ = try Examples.parse(Examples.scenario(steps: Examples.inserts + "\n  " + text))
    }
  }

  @Test func `in a claim is named by its line and a sentence`() throws {
    try expectErrors(Self.claims, atLeast: 24) { text throws(TextError) in
      let claims = "  " + text
      _ = try Examples.parse(Examples.scenario(steps: Examples.inserts, claims: claims))
    }
  }

  @Test func `is no text at all`() {
    let error = TextError(line: 1, message: "scenario has no name; write 'scenario  NAME' first")
    #expect(throws: error) { try Examples.parse("") }
  }

  @Test func `has more entities than IDs can tell apart`() {
    let error = TextError(line: 65_536, message: "model has more than 65535 entities")
    #expect(throws: error) {
      try ModelText.parse((0...65_535).map { "E\($0)\n" }.joined())
    }
  }

  @Test func `has a long line of ancestors, or one in a circle`() throws {
    let message =
      " has 100 ancestors or more, or inherits from one that inherits from itself"
    func chain(_ count: Int) -> String {
      "E0\n" + (1...count).map { "E\($0) : E\($0 - 1)\n" }.joined()
    }
    _ = try ModelText.parse(chain(99))
    #expect(throws: TextError(line: 101, message: "entity 'E100'" + message)) {
      try ModelText.parse(chain(100))
    }
    #expect(throws: TextError(line: 1, message: "entity 'A'" + message)) {
      try ModelText.parse("A : B\nB : C\nC : B\n")
    }
  }

  @Test func `has blocks in blocks without end`() throws {
    func blocks(_ count: Int) -> String {
      let lines = (0..<count).map { String(repeating: "  ", count: $0 + 1) + "edit  perform" }
      return Examples.scenario(steps: lines.joined(separator: "\n"))
    }
    _ = try Examples.parse(blocks(32))
    #expect(
      throws: TextError(line: 60, message: "blocks stand in blocks more than 30 levels deep")
    ) {
      try Examples.parse(blocks(100))
    }
  }
}

extension `Malformed text` {
  private static let models = #"""
      a  string
    ! 1: member stands above the first entity; write the entity's name first

    ⇥A
    ! 1: line is indented with a tab; indent with two spaces a level

    A␍
    ! 1: line ends with a carriage return; let it end with a line feed alone

     A
    ! 1: line is indented by 1 space; entities are indented by 0, their members by 2

    A
       a  string
    ! 2: line is indented by 3 spaces; entities are indented by 0, their members by 2

    A
      a
    ! 2: line ends where a type or a destination entity should stand

    A
      a  strng
    ! 2: no type 'strng': did you mean 'string'?

    A
      a  B
    ! 2: 'a' leads to entity 'B'; the model has 'A'

    A
      a  string
      a  date
    ! 3: 'A' has two properties named 'a', inherited ones included

    A
    B : A
    A
    ! 3: entity 'A' is declared in line 1 already

    A : B
    B : A
    ! 1: entity 'A' inherits from itself

    A : A
    ! 1: entity 'A' inherits from itself

    B : A
    ! 1: 'B' inherits from entity 'A'; the model has 'B'

    date
    ! 1: 'date' cannot be an entity's name; it has another meaning in models

    A B
    ! 1: 'B' is one word too many; the line ends before it

    1A
    ! 1: '1A' stands where the name of an entity should

    abstract
    ! 1: line ends where the name of an entity should stand

    # x
    A
    ! 1: models have no comments; write prose above the scenario that shows why

    A
      unique  b
    ! 2: no property 'b'; 'A' has none

    A
      unique
    ! 2: line ends where a property of 'A' should stand

    A
      b  A*
      unique  b
    ! 3: to-many 'b' cannot be unique; attributes can

    A
      b  string?
      unique  b b
    ! 3: 'b' stands twice; once is enough

    A
      b  string?
      didSave  b = "x"
    ! 3: no actions can stand in 'didSave'; they stand in 'awakeFromInsert', 'awakeFromFetch', \#
    'willSave' and 'resolveConflicts'

    A
      b  string?
      willSave  primitive
    ! 3: no property 'primitive'; 'A' has 'b'

    A
      b  string?
      willSave  primitive b "x"
    ! 3: '"x"' stands where '=' should

    A
      b  B?
      awakeFromInsert  primitive b = insert
    B
    ! 3: 'b' is a relationship; only attributes are primitive

    A
      b  integer? not nil
    ! 2: nil cannot be forbidden; a type without '?' never takes it

    A
      b  integer? not 1 "odd" not 1
    ! 2: 'not' stands twice with the same value; once is enough

    A
      b  string? not "x" = "y"
    ! 2: the default stands behind 'not'; write it in front

    A
      b  integer? not x
    ! 2: 'x' is no integer; write a whole number such as 42 or nil

    A
      b  integer? not 13 "unlucky
    ! 2: text has no end; close it with "

    A
      b  integer? not 13 unlucky
    ! 2: no word 'unlucky'; an attribute can have '=', 'min', 'max', 'not' and 'transient'

    A
      b  A* not 1
    ! 2: no word 'not'; a relationship can have 'ordered', 'inverse', 'noAction', 'nullify', \#
    'cascade', 'deny', 'min' and 'max'

    A
      b  B?
      awakeFromFetch  b = insert
    B
    ! 3: awakeFromFetch can set attributes only; awakeFromInsert can insert objects

    A
      b  B?
      awakeFromInsert  b = next
    B
    ! 3: 'next' is no object; write insert, which makes one

    A
      b  B?
      awakeFromInsert  b = insert
    abstract B
    ! 3: 'B' is abstract; only concrete entities can be inserted

    A
      b  B?
      awakeFromInsert  b = insert
    B
      a  A?
      awakeFromInsert  a = insert
    ! 1: awakeFromInsert of 'A' inserts objects without end; no chain of inserts may come back \#
    to its entity

    A
      b  string? = "x
    ! 2: text has no end; close it with "

    A
      b  string? = "\q"
    ! 2: text has an unknown escape; write \", \\, \n or \r

    A
      b  string? = x
    ! 2: 'x' is no string; write "text" or nil

    A
      b  integer16 = 32768
    ! 2: 32768 does not fit integer16, which holds -32768 to 32767

    A
      b  integer = 9223372036854775808
    ! 2: 9223372036854775808 does not fit integer, which holds -9223372036854775808 to \#
    9223372036854775807

    A
      b  integer = x
    ! 2: 'x' is no integer; write a whole number such as 42 or nil

    A
      b  double = nan
    ! 2: 'nan' is no double; write a number such as 1.5 or nil

    A
      b  double = 1e999
    ! 2: 1e999 does not fit double; it is too large

    A
      b  float = 1e39
    ! 2: 1e39 does not fit float; it is too large

    A
      b  decimal = 1.
    ! 2: '1.' is no decimal; write a number such as 12.50 or nil

    A
      b  decimal = 99999999999999999999
    ! 2: 99999999999999999999 does not fit decimal; it has too many digits

    A
      b  boolean = 1
    ! 2: '1' is no boolean; write true, false or nil

    A
      b  date = 2001-02-29T00:00:00Z
    ! 2: '2001-02-29T00:00:00Z' is no date; write @123, 2001-01-01T00:02:03Z or nil

    A
      b  date = @x
    ! 2: '@x' is no date; write @ and a number of seconds

    A
      b  uuid = 1
    ! 2: '1' is no uuid; write 00000000-0000-0000-0000-000000000001 or nil

    A
      b  data = "x"
    ! 2: '"x"' is no data; write <text> or nil

    A
      b  string = "s2147483648"
    ! 2: text 's2147483648' reads like a made-up one; these end at s2147483647

    A
      b  boolean min 1
    ! 2: boolean has no min and max; numbers, dates and strings have

    A
      b  integer min 3 max 2
    ! 2: min is more than max; no value could be saved

    A
      b  integer min nil
    ! 2: a limit cannot be nil; leave it out

    A
      b  string min -1
    ! 2: '-1' stands where a length from 0 to 2147483647 should

    A
      b  string min 1 min 2
    ! 2: 'min' stands twice; once is enough

    A
      b  string mni 1
    ! 2: no word 'mni'; an attribute can have '=', 'min', 'max', 'not' and 'transient': did you \#
    mean 'min'?

    A
      b  string ordered
    ! 2: no word 'ordered'; an attribute can have '=', 'min', 'max', 'not' and 'transient'

    A
      b  A? max 3
    ! 2: a to-one relationship cannot have 'max'; write * or + for to-many

    A
      b  A ordered
    ! 2: a to-one relationship cannot have 'ordered'; write * or + for to-many

    A
      b  A* min 3 max 2
    ! 2: min is more than max; nothing could be saved

    A
      b  A* cascade deny
    ! 2: 'deny' is a second delete rule; one is enough

    A
      b  A* casacde
    ! 2: no word 'casacde'; a relationship can have 'ordered', 'inverse', 'noAction', \#
    'nullify', 'cascade', 'deny', 'min' and 'max': did you mean 'cascade'?

    A
      b  A? inverse c
    ! 2: no inverse 'c'; the relationships of 'A' are 'b'

    A
      b  A? inverse c
      c  string
    ! 2: the inverse of A.b cannot be A.c, which is an attribute

    A
      b  B? inverse c
    B
      c  B?
    ! 2: the inverse of A.b cannot be B.c, which leads to 'B' and not to 'A'

    A
      b  B? inverse c
    B
      c  A?
    ! 2: A.b names B.c as its inverse, which names none; write 'inverse b' there

    A
      b  B? inverse c
    B
      c  A? inverse d
    C
    ! 2: A.b names B.c as its inverse, whose own inverse is 'd'

    A
      b  B? inverse c
      d  B? inverse c
    B
      c  A? inverse d
    ! 2: A.b names B.c as its inverse, whose own inverse is 'd'

    A
      b  C? inverse c
    B
      c  A? inverse b
    C : B
    ! 2: the inverse of A.b cannot be B.c, which is inherited; let A.b lead to 'B'

    A
      a  string
    B : A
      a  date
    ! 4: 'B' has two properties named 'a', inherited ones included

    A
      a string = = 3
    ! 2: '=' is no string; write "text" or nil

    A
      a  A? inverse
    ! 2: line ends where the name of the inverse should stand
    """#

  private static let scenarios = #"""
    #x
    ! 1: prose stands close to its #; write '# ' and the text

    scenario  a
    ! 1: scenario has no evidence; write 'evidence  documented', 'observed', 'reported' or \#
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
    ! 1: 'b' is one word too many; the line ends before it

    scenario  ä
    ! 1: 'ä' is no name for a scenario; write letters, digits, _ and - only

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
    ! 6: section 'steps' stands twice or too late; the order is model, stack, steps, claims

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
    ! 6: line is indented with a tab; indent with two spaces a level

    scenario  a
    evidence  documented
    model
    stack
      view  mainQueue coordinator store
    ! 5: context has coordinator 'store'; the stack has none

    scenario  a
    evidence  documented
    model
      A
      B
    stack
      store  x  entities A A
    ! 7: entity 'A' stands twice

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
    ! 7: store 'x' is in memory and 'c' has it; no two coordinators can share it, leave out \#
    inMemory or use another store

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
    """#

  private static let headers = #"""
    quirk  rowHasTwoInstance
    ! 3: no quirk 'rowHasTwoInstance': did you mean 'rowHasTwoInstances'?

    quirk
    ! 3: line ends where a quirk should stand

    quirk  rowHasTwoInstances rowHasTwoInstances
    ! 3: 'rowHasTwoInstances' stands twice; once is enough

    profile  new
    ! 3: no profile 'new'; there are 'documented', 'legacy' and 'current'

    watch  didsave
    ! 3: no event 'didsave': did you mean 'didSave'?

    watch  set set
    ! 3: 'set' stands twice; once is enough

    interleave  seed 3
    ! 3: no interleaving 'seed'; there are 'every' and 'choices'

    watch
    ! 3: line ends where an event should stand

    profile
    ! 3: line ends where a profile should stand

    interleave
    ! 3: line ends where 'every' or 'choices' should stand

    interleave  choices -1
    ! 3: '-1' stands where a choice from 0 to 2147483647 should

    contradict  x
    ! 3: no key 'contradict': did you mean 'contradicts'?

    contradicts
    ! 3: line ends where the sentence that does not hold should stand

      watch  set
    ! 3: 'watch' is indented; the header is not

    # late
    ! 3: a comment stands below the first lines; only prose at the top can have #

    scenario  again
    ! 3: 'scenario' stands twice; once is enough

    modle
    ! 3: no key 'modle': did you mean 'model'?
    """#

  private static let stacks = #"""
     store  x
    ! 26: line is indented by 1 space; a section is indented by 2

      store  more
    ! 26: store stands below the first context; the order is stores, coordinators, contexts, \#
    controllers, observers

      edit  mainQueue parent view
    ! 26: the stack has a context 'edit' already; choose another name

      more  confinement parent view
    ! 26: confinement is deprecated and no parent can have it; write 'privateQueue', or \#
    'mainQueue' for what the user sees

      more  backgroundQueue parent view
    ! 26: no queue type 'backgroundQueue'; there are 'mainQueue' and 'privateQueue'

      more  mainQueue
    ! 26: line ends where 'coordinator' or 'parent' should stand

      more
    ! 26: line ends where the type of its queue should stand

      observe
    ! 26: line ends where a notification should stand

      more  mainQueue parent view policy
    ! 26: line ends where a merge policy should stand

      more  mainQueue parent veiw
    ! 26: context has parent 'veiw'; the stack has 'view' and 'edit': did you mean 'view'?

      more  mainQueue coordinator psc
    ! 26: context has coordinator 'psc'; the stack has 'store'

      more  mainQueue parent view policy overwite
    ! 26: no merge policy 'overwite'; the policies are 'error', 'mergeByPropertyStoreTrump', \#
    'mergeByPropertyObjectTrump', 'overwrite' and 'rollback': did you mean 'overwrite'?

      more  mainQueue parent view automerge
    ! 26: no word 'automerge'; a context can have 'policy', 'autoMerge', 'undoManager', \#
    'zeroStaleness', 'keepsInaccessibleFaults', 'retainsRegisteredObjects' and \#
    'propagatesDeletesAtSave': did you mean 'autoMerge'?

      more  mainQueue parent view undoManager undoManager
    ! 26: 'undoManager' stands twice; once is enough

      more  mainQueue parent view autoMerge policy overwrite
    ! 26: the policy stands behind other words; write it in front

      undo  mainQueue parent view
    ! 26: 'undo' cannot be a context's name; it has another meaning in steps

      save  mainQueue parent view
    ! 26: 'save' cannot be a context's name; it has another meaning in steps

      observe  didsave edit
    ! 26: no notification 'didsave'; contexts post 'objectsDidChange', 'contextWillSave', \#
    'didSave' and 'didSaveObjectIDs': did you mean 'didSave'?

      observe  saveRequest edit
    ! 26: no notification 'saveRequest'; contexts post 'objectsDidChange', 'contextWillSave', \#
    'didSave' and 'didSaveObjectIDs'

      observe  didSave edti
    ! 26: observer names context 'edti'; the stack has 'view' and 'edit': did you mean 'edit'?

      observe  didSave edit
        > edit  x
    ! 27: transcript stands under an observer; it belongs under the steps

      observe  didSave edit
          save
    ! 27: line is indented by 6 spaces; this block is indented by 4

      coordinator  c main
    ! 26: coordinator stands below the first context; the order is stores, coordinators, \#
    contexts, controllers, observers
    """#

  private static let steps = #"""
    edti  save
    ! 32: step names lane 'edti'; the stack has 'view' and 'edit': did you mean 'edit'?

    edit  save now
    ! 32: 'now' is one word too many; the line ends before it

    edit  svae
    ! 32: no verb 'svae': did you mean 'save'?

    edit
    ! 32: line ends where a verb should stand

    save
    ! 32: step names no lane; write 'LANE  save', where the lane is a context

    edit  insert Noet as n
    ! 32: step inserts entity 'Noet'; the model has 'Note', 'Thing', 'Folder' and 'Tag': did \#
    you mean 'Note'?

    edit  insert Thing as x
    ! 32: 'Thing' is abstract; only concrete entities can be inserted

    edit  insert Note n
    ! 32: 'n' stands where 'as' should

    edit  insert Folder as n
    ! 32: 'n' stands for a 'Note' elsewhere and cannot stand for a 'Folder' too; choose another \#
    name

    edit  insert Note as nil
    ! 32: 'nil' cannot be an object's name; it stands for none

    edit  delete m
    ! 32: no step inserts 'm'; the steps bind 'n', 'f', 't' and 'u'

    edit  delete 5
    ! 32: '5' stands where the name of an object should

    edit  set n.titel "x"
    ! 32: no property 'titel': did you mean 'title'?

    edit  set n
    ! 32: 'n' stands where a property should; write 'n.PROPERTY'

    edit  set n.title
    ! 32: line ends where a value should stand

    edit  set n.folder f
    ! 32: 'folder' is a relationship; write 'relate'

    edit  set n.tags t
    ! 32: 'tags' is a relationship; write 'replace'

    edit  set n.stamp 40000
    ! 32: 40000 does not fit integer16, which holds -32768 to 32767

    edit  relate n.title f
    ! 32: 'title' is an attribute; write 'set'

    edit  relate n.tags t
    ! 32: 'tags' leads to many objects; write 'add', 'remove' or 'replace'

    edit  relate n.folder t
    ! 32: 't' is a 'Tag'; n.folder leads to 'Folder'

    edit  add n.folder f
    ! 32: 'folder' leads to one object; write 'relate'

    edit  replace n.tags t
    ! 32: 't' stands where '[' should

    edit  replace n.tags [t
    ! 32: line ends where the name of an object should stand

    edit  relate n.folder veiw.f
    ! 32: reference names context 'veiw'; the stack has 'view' and 'edit': did you mean 'view'?

    edit  fetch Noet
    ! 32: step fetches entity 'Noet'; the model has 'Note', 'Thing', 'Folder' and 'Tag': did \#
    you mean 'Note'?

    edit  fetch Note wher title == "x"
    ! 32: no word 'wher': did you mean 'where'?

    edit  fetch Note where title = "x"
    ! 32: no relation '='; the relations are '==', '!=', '<' and '>'

    edit  fetch Note where tags == t
    ! 32: to-many 'tags' cannot be compared

    edit  fetch Note where folder < f
    ! 32: objects can be compared with == and != only

    edit  fetch Note sort tags
    ! 32: to-many 'tags' cannot be sorted by

    edit  fetch Note limit x
    ! 32: 'x' stands where a limit from 0 to 2147483647 should

    edit  fetch Note limit 1 limit 2
    ! 32: 'limit' stands twice; once is enough

    edit  object edit.n as f
    ! 32: 'f' stands for a 'Folder' elsewhere and cannot stand for a 'Note' too; choose another \#
    name

    edit  object edit.b as b
    ! 32: no step inserts 'b'; the steps bind 'n', 'f', 't' and 'u'

    edit  mergeChanges didSave edit 0
    ! 32: '0' stands where the number of a save from 1 to 2147483647 should

    edit  mergeChanges
    ! 32: line ends where 'delivered', 'didSave' or 'batch' should stand

    edit  mergeChanges didSave edti 1
    ! 32: step names context 'edti'; the stack has 'view' and 'edit': did you mean 'edit'?

    edit  sleep -1
    ! 32: '-1' stands where a number of milliseconds from 0 to 2147483647 should

    edit  sleep 10000000000
    ! 32: '10000000000' stands where a number of milliseconds from 0 to 2147483647 should

    edit  save
        view  save
    ! 33: line is indented by 4 spaces; a step outside of blocks is indented by 2

    edit  save
          > x
    ! 33: transcript stands out of place; it belongs under a step of the outermost level, \#
    indented by 4 spaces

    edit  perform
        save
          > x
    ! 34: transcript stands out of place; it belongs under a step of the outermost level, \#
    indented by 4 spaces

    edit  perform
       save
    ! 33: line is indented by 3 spaces; a step outside of blocks is indented by 2

    edit  perform
        svae
    ! 33: no lane or verb 'svae': did you mean 'save'?

    edit  perform
        > x
        save
    ! 34: line is indented by 4 spaces; a step outside of blocks is indented by 2

    # x
    ! 32: a comment stands below the first lines; only prose at the top can have #
    """#

  private static let claims = #"""
    cuont  set n == 1
    ! 34: no claim 'cuont': did you mean 'count'?

    count  sett n == 1
    ! 34: no event 'sett': did you mean 'set'?

    count  set m == 1
    ! 34: no step inserts 'm'; the steps bind 'n', 'f', 't' and 'u'

    count  set n = 1
    ! 34: '=' stands where '==' should

    count  didSave n == 1
    ! 34: claim names context 'n'; the stack has 'view' and 'edit'

    equal  n {}
    ! 34: 'n' stands without its context; write 'CONTEXT.n'

    equal  edit.n {titel: nil}
    ! 34: no property 'titel': did you mean 'title'?

    equal  edit.n {title: nil, title: nil}
    ! 34: 'title' stands twice; once is enough

    equal  edit.n {title nil}
    ! 34: 'nil' stands where ':' should

    equal  edit.n {title: nil
    ! 34: line ends where '}' should stand

    equal  edit.n {tags: t}
    ! 34: 't' stands where '[' should

    equal  edit.n {folder: Folder/5}
    ! 34: 'Folder/' stands without a number; write 'Folder/p3' or 'Folder/t5'

    equal  store.Noet [n]
    ! 34: claim names entity 'Noet'; the model has 'Note', 'Thing', 'Folder' and 'Tag': did you \#
    mean 'Note'?

    equal  store.n [n]
    ! 34: claim names entity 'n'; the model has 'Note', 'Thing', 'Folder' and 'Tag'

    equal  store.n
    ! 34: line ends where '{' should stand

    temporary  n
    ! 34: 'n' stands without its context; write 'CONTEXT.n'

    failed  managedObjectMerg
    ! 34: no failure 'managedObjectMerg': did you mean 'managedObjectMerge'?

    no  failure
    ! 34: 'failure' stands where 'deadlock' should

    count  didSaveObjectIDs store == 1
    ! 34: claim names context 'store'; the stack has 'view' and 'edit'

    count  saveRequest view == 1
    ! 34: claim names coordinator 'view'; the stack has 'store'

    count  storesDidChange
    ! 34: line ends where the name of a coordinator, or 'store', should stand

    count  awakeFromSnapshotEvents edit == 1
    ! 34: no step inserts 'edit'; the steps bind 'n', 'f', 't' and 'u'

    count  failed == 1
    ! 34: '==' stands where the name of a failure should

    count  failed managedObjectMerge
    ! 34: line ends where '==' should stand

    answered  edti counted 2
    ! 34: claim names context 'edti'; the stack has 'view' and 'edit': did you mean 'edit'?

    answered  edit
    ! 34: line ends where an answer, such as 'counted 2', should stand

    answered  edit cuonted 2
    ! 34: no answer 'cuonted': did you mean 'counted'?

    answered  edit saved
    ! 34: no answer 'saved'; the answers are 'read', 'found', 'counted', 'object', 'nothing', \#
    'failed', 'values', 'yes', 'no', 'uri', 'batched' and 'valid'

    answered  edit didSave inserted n
    ! 34: no answer 'didSave'; the answers are 'read', 'found', 'counted', 'object', 'nothing', \#
    'failed', 'values', 'yes', 'no', 'uri', 'batched' and 'valid'

    changed  edti
    ! 34: claim names context 'edti'; the stack has 'view' and 'edit': did you mean 'edit'?

    always
    ! 34: line ends where a claim should stand

    count
    ! 34: line ends where an event should stand

    failed
    ! 34: line ends where the name of a failure should stand

    succeeded really
    ! 34: 'really' is one word too many; the line ends before it

    equal  store.Note [Note/p0]
    ! 34: '0' stands where a key from 1 to 2147483647 should
    """#
}
