import Faultline
import Foundation
import InputFiles
import TestSupport
import Testing

@Suite struct `All errors of a model` {
  private let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  /// Errors of each kind, one in each line from line 3 on. Some names are unknown only because of
  /// other errors.
  private let body = """
    <entity name="Note" parentEntity="Nothing">
    <attribute name="a" attributeType="Strin" optional="1"/>
    <attribute name="b" attributeType="Integer 16" defaultValueString="x" minValueString="y"/>
    <attribute name="b" attributeType="String"/>
    <relationship name="c" destinationEntity="Nowhere" deletionRule="Never"/>
    <relationship name="d" destinationEntity="Folder" inverseName="c"/>
    <uniquenessConstraints><uniquenessConstraint><constraint value="inherited"/>
    </uniquenessConstraint></uniquenessConstraints></entity>
    <entity name="Folder" isAbstract="maybe">
    <relationship name="notes" destinationEntity="Note" inverseName="c"/>
    <uniquenessConstraints><uniquenessConstraint><constraint value="titel"/>
    </uniquenessConstraint></uniquenessConstraints></entity>
    <entity name="Note"/>
    <entity name="X" parentEntity="Y"/>
    <entity name="Y" parentEntity="X"/>
    """

  private let complaints = [
    "3: parentEntity is 'Nothing', which is not an entity; there are 'Note', 'Folder', 'X', 'Y'",
    "4: attributeType is 'Strin', which is unknown; did you mean 'String'?",
    "4: optional is '1'; write YES or NO",
    "5: defaultValueString is 'x'; an Integer 16 is a whole number from -32768 to 32767",
    "5: minValueString is 'y'; an Integer 16 is a whole number from -32768 to 32767",
    "6: 'Note' has 'b' already, from line 5; rename one",
    "7: destinationEntity is 'Nowhere', which is not an entity; there are 'Note', 'Folder', 'X', 'Y'",
    "7: deletionRule is 'Never', which is unknown; there are 'No Action', 'Nullify', 'Cascade', 'Deny'",
    "8: 'Folder' has no relationship 'c'; there is 'notes'",
    "11: isAbstract is 'maybe'; write YES or NO",
    "13: 'Folder' has no property 'titel'; there is 'notes'",
    "15: a second entity 'Note'; the first is on line 3, rename one",
    "16: 'X' inherits from itself; remove one parentEntity of the cycle",
  ]

  @Test func `all errors are reported at once, except those that only follow from others`() throws {
    try folder.write(xcodeModel(body), to: "M.xcdatamodel/contents")
    let found = complaint(about: "M.xcdatamodel", in: folder)
    #expect(
      found?.split(separator: "\n").map(String.init)
        == complaints.map { "M.xcdatamodel/contents:" + $0 })
  }

  @Test func `the public interface throws all errors as one`() async throws {
    let path = try folder.write(xcodeModel(body), to: "M.xcdatamodel/contents")
    let error = await #expect(throws: InvalidInput.self) {
      try await Fuzzer(model: folder.path + "/M.xcdatamodel", runs: 1).check()
    }
    #expect(
      error?.line == 3 && error?.others.map(\.line) == [4, 4, 5, 5, 6, 7, 7, 8, 11, 13, 15, 16])
    #expect(error?.description == complaints.map { "\(path):" + $0 }.joined(separator: "\n"))
  }

  @Test func `further errors are counted where only one line fits`() throws {
    try folder.write(xcodeModel(body), to: "M.xcdatamodel/contents")
    let path = try folder.write(
      """
      scenario  named-model
      evidence  inferred

      model  M.xcdatamodel

      stack
        store  main
        view  mainQueue coordinator store

      steps
        view  save
      """, to: "s.scenario")
    let error = #expect(throws: InputError.self) { try ScenarioFile.read(path: path) }
    #expect(
      error?.message.hasSuffix("'Y' (and 12 more errors in this model)") == true, "\(error as Any)")
  }

  @Test func `each entity that is too large is reported, but none that only inherits from one`()
    throws
  {
    func entity(_ name: String, _ count: Int, _ parent: String = "") -> String {
      let attributes = (1...count).map {
        "<attribute name=\"\(name.lowercased())\($0)\" attributeType=\"String\"/>"
      }
      return "<entity name=\"\(name)\" \(parent)>\(attributes.joined())</entity>\n"
    }
    let model =
      entity("A", 300) + entity("B", 212, #"parentEntity="A""#)
      + entity("C", 213, #"parentEntity="A""#) + entity("D", 1, #"parentEntity="C""#)
      + entity("E", 513)
    try folder.write(xcodeModel(model), to: "M.xcdatamodel/contents")
    #expect(
      complaint(about: "M.xcdatamodel", in: folder) == """
        M.xcdatamodel/contents:5: 'C' has 513 properties with those that it inherits; at most 512 can be simulated
        M.xcdatamodel/contents:7: 'E' has 513 properties with those that it inherits; at most 512 can be simulated
        """)
  }

  /// Each stage needs the result of the stage before.
  @Test(arguments: [
    (
      "Note\n  title  strin?\n  stars  integer min x\nFolder\n  name  String\n", [2, 3, 5]
    ),
    ("1Note\n  title  string?\n   folder  Folder?\nNote x\n", [1, 4]),
    ("Note : Nothing\nFolder : Nowhere\n", [1, 2]),
    ("Note\nFolder\nNote\nFolder\n", [3, 4]),
    ("Note\n  a  string?\n  a  string?\nSub : Note\n  a  string?\n", [3, 5]),
    ("Note\n  a  Note? inverse b\n  c  Note? inverse d\nSub : Note\n", [2, 3]),
    ("Note\n  a  string?\n  unique  b\n  awakeFromInsert  c = 1\n", [3, 4]),
    ("  a  string?\n  b  string?\nNote\n  a  strin\n", [1]),
  ])
  func `all errors of one stage are reported at once`(text: String, lines: [Int]) throws {
    try folder.write(text, to: "T.model")
    let error = #expect(throws: InputError.self) {
      try ModelFile.read(path: folder.path + "/T.model")
    }
    #expect(error?.all.map(\.line) == lines, "\(error as Any)")
  }
}
