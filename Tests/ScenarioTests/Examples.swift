import ObjectModel
import Scenario

/// Texts that several suites use.
enum Examples {
  /// The complete example of design.md, section 5.
  static let design = """
    # Saving a child context hands its inserted object to the parent. The parent makes an instance of
    # its own and awakens that one too: awakeFromInsert runs a second time, in another context, on an
    # object whose attributes are still nil. A class that stamps an identity there stamps two of them;
    # a class that inserts a companion object there inserts two of those.

    scenario  child-save-refires-awakeFromInsert
    evidence  reported
    contradicts  "This method is invoked only once in the object's lifetime." (awakeFromInsert)
    quirk  parentAwakensInsertedObject
    watch  awakeFromInsert set receive didSave

    model
      Note
        title  string?
        stamp  integer?
        awakeFromInsert  stamp = next

    stack
      store  inMemory
      view  mainQueue coordinator store
      edit  privateQueue parent view

    steps
      edit  insert Note as n
        > edit  awakeFromInsert n {title: nil, stamp: nil}
        > edit  set n.stamp 1
      edit  set n.title "draft"
      edit  save
        > view  awakeFromInsert n {title: nil, stamp: nil}
        > view  set n.stamp 2
        > view  receive n {title: "draft", stamp: 1}
        > edit  didSave inserted n
      view  save
        > view  didSave inserted n

    claims
      count  awakeFromInsert n == 2
      equal  view.n {title: "draft", stamp: 1}
      equal  store.Note [n]

    """

  /// A model with every feature.
  static let model = """
    abstract Person
      name  string = "unknown \\"\\\\\\n" min 1 max 20
      age  integer16? min 0 max 150
      born  date? = @-3600 min @-100 max @0
      unique  name
      awakeFromFetch  age = 1
    Manager : Employee
      bonus  decimal = 12.50 min -0.05 max 12e3
      reports  Employee* inverse boss
      unique  name bonus
      willSave  bonus ?= next
    Employee : Person
      id  uuid = 00000000-0000-0001-0000-00000000000A
      active  boolean = true
      small  integer32? = -7 max 20 not 13 "unlucky" not 4
      large  integer? = 9223372036854775807
      rate  double = 0.1
      weight  float? = 1.5 min -1e+20 max 2.0
      photo  data? = <a\\>b>
      page  uri?
      mood  transformable? = <s12> transient
      secret  string? = "s3" transient
      boss  Manager? inverse reports
      desk  Desk inverse owner cascade
      friends  Employee* inverse friends
      notes  Note* ordered inverse author deny min 2 max 9
      awakeFromInsert  desk = insert
      awakeFromInsert  notes ?= insert
      willSave  secret ?= "none"
      willSave  primitive small = next
    Desk
      owner  Employee? inverse desk noAction
      managers  Manager+
    Note
      author  Employee? inverse notes
      awakeFromFetch  author2 = nil
      author2  string?

    """

  /// Returns a scenario with every feature, with places for more lines.
  static func scenario(
    header: String = "", stack: String = "", steps: String = "", claims: String = ""
  ) -> String {
    func section(_ name: String, _ lines: String) -> String {
      lines.isEmpty ? "" : "\n\(name)\n\(lines)\n"
    }
    return """
      scenario  test
      evidence  observed\(header)

      model
        Note
          title  string?
          stamp  integer16?
          limit  integer?
          rate  double?
          when  date?
          key  uuid?
          body  data?
          price  decimal?
          done  boolean?
          folder  Folder? inverse notes
          tags  Tag*
        abstract Thing
        Folder : Thing
          notes  Note* inverse folder
        Tag

      stack
        store  main
        view  mainQueue coordinator store
        edit  privateQueue parent view\(stack)

      """ + section("steps", steps) + section("claims", claims)
  }

  /// Inserts an object of each entity.
  static let inserts = """
      edit  insert Note as n
      edit  insert Folder as f
      edit  insert Tag as t
      edit  insert Tag as u
    """

  /// No scenario in these tests names a file.
  static func noFile(_ path: String) -> Result<ObjectModel, UnreadableModel> {
    .failure(UnreadableModel(message: "there is no file of this name"))
  }

  static func parse(_ text: String) throws(TextError) -> Scenario {
    try ScenarioText.parse(text, model: noFile)
  }
}
