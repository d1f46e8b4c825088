import Scenario
import Testing

/// Models with errors, in a scenario or in separate files, and the messages about them.
extension `Malformed text` {
  @Test func `an error in a model has its line and a sentence`() throws {
    for (models, count) in [(Self.models, 35), (Self.moreModels, 35)] {
      try expectErrors(models, atLeast: count) { text throws(TextError) in
        _ = try ModelText.parse(text)
      }
    }
  }

  @Test func `a model with more entities than there are IDs is refused`() {
    let error = TextError(line: 65_536, message: "model has more than 65535 entities")
    #expect(throws: error) {
      try ModelText.parse((0...65_535).map { "E\($0)\n" }.joined())
    }
  }

  @Test func `a long line of ancestors is refused, and so is a cycle`() throws {
    let message =
      " has 100 ancestors or more, or an ancestor that inherits from itself"
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

  private static let models = #"""
      a  string
    ! 1: member without an entity; write the entity's name first

    ⇥A
    ! 1: line is indented with a tab; indent with two spaces per level

    A␍
    ! 1: line ends with a carriage return; end lines with a line feed only

     A
    ! 1: line is indented by 1 space; entities are indented by 0, their members by 2

    A
       a  string
    ! 2: line is indented by 3 spaces; entities are indented by 0, their members by 2

    A
      a
    ! 2: expected a type or a destination entity, but the line ends

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
    ! 1: 'B' follows the name of an entity; if 'A' is a member of one, indent it by 2

    A abstract
    ! 1: 'abstract' precedes the name of an entity: 'abstract A'

    A
    title  string?
    ! 2: 'string?' follows the name of an entity; if 'title' is a member of one, indent it by 2

    A : B C
    ! 1: unexpected 'C'; the line should end before it

    # x
    model
      A
        a  string
    ! 2: 'model' begins a section of a scenario; leave out this line, and do not indent \#
    entities

    1A
    ! 1: expected the name of an entity instead of '1A'

    abstract
    ! 1: expected the name of an entity, but the line ends

    A
      b  String?
    ! 2: no type 'String'; types are lower case: did you mean 'string'?

    A
      b  Int16
    ! 2: no type 'Int16'; types are lower case: did you mean 'integer16'?

    A
      b  Bool
    ! 2: no type 'Bool'; types are lower case: did you mean 'boolean'?

    A
      b  string? unique
    ! 2: uniqueness needs a separate line; write 'unique  PROPERTY' in the entity

    A
      b  A? unique
    ! 2: uniqueness needs a separate line; write 'unique  PROPERTY' in the entity

    A
      unique  b
    ! 2: no property 'b'; 'A' has none

    A
      unique
    ! 2: expected a property of 'A', but the line ends

    A
      b  A*
      unique  b
    ! 3: to-many 'b' cannot be unique; attributes can

    A
      b  string?
      unique  b b
    ! 3: 'b' is given twice; once is enough

    A
      b  string?
      didSave  b = "x"
    ! 3: no actions in 'didSave'; actions are allowed in 'awakeFromInsert', 'awakeFromFetch', \#
    'willSave' and 'resolveConflicts'

    A
      b  string?
      willSave  primitive
    ! 3: no property 'primitive'; 'A' has 'b'

    A
      b  string?
      willSave  primitive b "x"
    ! 3: expected '=' instead of '"x"'

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
    ! 2: 'not' is given twice with the same value; once is enough

    A
      b  string? not "x" = "y"
    ! 2: the default must precede 'not'

    A
      b  integer? not x
    ! 2: 'x' is not of type integer; write a whole number such as 42 or nil

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
    """#
}
