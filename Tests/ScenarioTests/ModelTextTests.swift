import ObjectModel
import Scenario
import Testing

@Suite struct `A model's text` {
  @Test func `a model prints as it was parsed`() throws {
    let model = try ModelText.parse(Examples.model)
    let printed = ModelText.print(model)
    #expect(try ModelText.parse(printed) == model)
    #expect(ModelText.print(try ModelText.parse(printed)) == printed)
    // In the example, only the last property stands below an action.
    let canonical = Examples.model.replacing(
      "  awakeFromFetch  author2 = nil\n  author2  string?\n",
      with: "  author2  string?\n  awakeFromFetch  author2 = nil\n")
    #expect(printed == canonical)
  }

  /// A model in a scenario cannot have comments, because it is printed again and they would be
  /// lost.
  @Test func `a model has comments in a file, but not in a scenario`() throws {
    let model = try ModelText.parse("# Notes.\nNote\n  # Of its own.\n  title  string?\n")
    #expect(ModelText.print(model) == "Note\n  title  string?\n")
    let scenario = Examples.scenario(steps: Examples.inserts)
      .replacing("model\n", with: "model\n  # Notes.\n")
    let error = #expect(throws: TextError.self) { try Examples.parse(scenario) }
    #expect(
      error?.message
        == "unexpected comment; only the description at the top can begin with #")
  }

  @Test func `a model may be empty`() throws {
    #expect(try ModelText.parse("").entities.isEmpty)
    #expect(ModelText.print(ObjectModel(entities: [])) == "")
  }

  @Test func `a model may have more spaces, blank lines and another order of words`() throws {
    let loose = "Note\n\n  rating    integer16? max 5   min 1\n  tags Note* max 2 ordered\n"
    let strict = "Note\n  rating  integer16? min 1 max 5\n  tags  Note* ordered max 2\n"
    #expect(ModelText.print(try ModelText.parse(loose)) == strict)
  }

  @Test func `a model says what is forbidden, unique and primitive`() throws {
    let text = """
      A
        stars  integer? = 3 min 1 max 20 not 13 "un\\"lucky\\n" not 4
        title  string not "x" "reserved" not "" transient
        primitive  integer?
        unique  title stars
        unique  primitive
        willSave  primitive stars = next
        willSave  primitive primitive ?= 3
        willSave  primitive = next
        willSave  title = "saved"
        willSave  stars ?= nil

      """
    let model = try ModelText.parse(text)
    #expect(ModelText.print(model) == text)
    let (stars, title, primitive) = (PropertyID(0), PropertyID(1), PropertyID(2))
    let entity = model.entities[0]
    #expect(
      entity[stars].attribute?.forbidden == [
        ForbiddenValue(.integer(13), warning: "un\"lucky\n"),
        ForbiddenValue(.integer(4), warning: ""),
      ])
    #expect(entity[title].attribute?.forbidden.map(\.warning) == ["reserved", ""])
    #expect(entity.uniquenessConstraints == [[title, stars], [primitive]])
    #expect(entity.hookActions.map(\.property) == [stars, primitive, primitive, title, stars])
    #expect(entity.hookActions.map(\.isPrimitive) == [true, true, false, false, false])
    #expect(entity.hookActions.map(\.onlyIfNil) == [false, true, false, false, true])
  }

  @Test func `a model takes Apple's longer names of types`() throws {
    let model = try ModelText.parse("A\n  a  integer64\n  b  binaryData?\n")
    #expect(ModelText.print(model) == "A\n  a  integer\n  b  data?\n")
  }

  @Test func `inherited properties have the numbers that they have in the parent`() throws {
    let model = try ModelText.parse(Examples.model)
    let person = model.entities[0]
    let manager = model.entities[1]
    #expect(manager.parent == EntityID(2))
    #expect(manager.properties.prefix(3).map(\.name) == person.properties.map(\.name))
    #expect(manager.properties.last?.name == "reports")
    #expect(manager.uniquenessConstraints.count == 2)
    #expect(
      manager.hookActions.map(\.hook) == [
        .awakeFromFetch, .awakeFromInsert, .awakeFromInsert, .willSave, .willSave, .willSave,
      ])
    #expect(person.isAbstract && !manager.isAbstract)
  }

  @Test func `inverses are resolved, also for entities that inherit them`() throws {
    let model = try ModelText.parse(Examples.model)
    let manager = model.entities[1]
    let boss = try #require(manager.property(named: "boss").flatMap { manager[$0].relationship })
    #expect(boss.destination == EntityID(1))
    #expect(manager[try #require(boss.inverse)].name == "reports")
    let notes = try #require(manager.property(named: "notes").flatMap { manager[$0].relationship })
    #expect(notes.isOrdered && notes.isToMany && notes.isOptional)
    #expect(notes.minimumCount == 2 && notes.maximumCount == 9 && notes.deleteRule == .deny)
    #expect(model.entities[4][try #require(notes.inverse)].name == "author")
  }

  @Test(arguments: [
    ("string", "\"a \\\\ \\\" \\n \\r é\"", "\"a \\\\ \\\" \\n \\r é\""),
    ("string", "\"\"", "\"\""), ("string", "nil", ""),
    ("string", "\"s2147483647\"", "\"s2147483647\""),
    ("integer16", "-32768", "-32768"), ("integer16", "+0007", "7"),
    ("integer32", "2147483647", "2147483647"),
    ("integer", "-9223372036854775808", "-9223372036854775808"),
    ("decimal", "12.50", "12.50"), ("decimal", "-0.05", "-0.05"), ("decimal", "7", "7"),
    ("decimal", "1.5e3", "15e2"), ("decimal", "5e-2", "0.05"), ("decimal", "0e127", "0e127"),
    ("decimal", "-9223372036854775808", "-9223372036854775808"),
    ("double", "1", "1.0"), ("double", "0.1", "0.1"), ("double", "1e300", "1e+300"),
    ("double", "-0.0", "-0.0"), ("double", "5e-324", "5e-324"),
    ("boolean", "false", "false"),
    ("date", "@123", "@123"), ("date", "2001-01-01T00:00:00Z", "@0"),
    ("date", "\"2001-01-01T00:02:03Z\"", "@123"),
    ("date", "2000-12-31T23:59:59Z", "@-1"), ("date", "2024-02-29T12:00:00Z", "@730900800"),
    ("date", "1970-01-01T00:00:00Z", "@-978307200"),
    ("date", "0000-01-01T00:00:00Z", "@-63145526400"),
    ("date", "2025-01-01T00:00:00.000002Z", "2025-01-01T00:00:00.000002Z"),
    ("date", "2024-02-29T23:59:59.5000Z", "2024-02-29T23:59:59.5Z"),
    ("date", "1999-12-31T00:00:00.25Z", "1999-12-31T00:00:00.25Z"),
    ("date", "2001-01-01T00:02:03.000Z", "@123"),
    ("uuid", "deadbeef-0000-0000-0000-00000000000a", "DEADBEEF-0000-0000-0000-00000000000A"),
    ("data", "<a\\>b\\\\>", "<a\\>b\\\\>"), ("uri", "<>", "<>"), ("transformable", "<s1>", "<s1>"),
  ])
  func `a model prints values in one way`(type: String, written: String, printed: String) throws {
    let model = try ModelText.parse("A\n  a  \(type)? = \(written)\n")
    let rest = printed.isEmpty ? "" : " = \(printed)"
    #expect(ModelText.print(model) == "A\n  a  \(type)?\(rest)\n")
    #expect(try ModelText.parse(ModelText.print(model)) == model)
  }

  @Test func `a model keeps generated texts as numbers`() throws {
    let model = try ModelText.parse("A\n  a  string? = \"s12\"\n")
    #expect(model.symbols.texts.isEmpty)
    #expect(model.entities[0].defaultValues == [.string(Symbol(token: 12))])
  }
}
