import Foundation
import InputFiles
import ObjectModel
import Scenario
import TestSupport
import Testing

@Suite struct `A model's path` {
  private let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  private let oneEntity = xcodeModel("<entity name=\"One\"/>")
  private let otherEntity = xcodeModel("<entity name=\"Other\"/>")

  private func names(_ path: String) throws -> [String] {
    try ModelFile.read(path: folder.path + "/" + path).entities.map(\.name)
  }

  private func choose(_ version: String, in bundle: String) throws {
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>\(version)</string>
      </dict></plist>
      """, to: bundle + "/.xccurrentversion")
  }

  @Test func `a path may name a model, a bundle with one version, or a text`() throws {
    try folder.write(oneEntity, to: "B.xcdatamodeld/V.xcdatamodel/contents")
    try folder.write("Text\n  title  string?\n", to: "T.model")
    #expect(try names("B.xcdatamodeld") == ["One"])
    #expect(try names("B.xcdatamodeld/V.xcdatamodel") == ["One"])
    #expect(try names("T.model") == ["Text"])
  }

  @Test func `a path may end in slashes and be relative`() throws {
    try folder.write(oneEntity, to: "A b.c.xcdatamodeld/V 2.xcdatamodel/contents")
    #expect(try names("A b.c.xcdatamodeld///") == ["One"])
    #expect(try names("A b.c.xcdatamodeld/V 2.xcdatamodel/") == ["One"])
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let path = String(repeating: "../", count: depth) + folder.path.dropFirst()
    #expect(
      try ModelFile.read(path: path + "/A b.c.xcdatamodeld").entities.map(\.name) == ["One"])
  }

  @Test func `a path leads to the current one of several versions`() throws {
    try folder.write(oneEntity, to: "B.xcdatamodeld/B.xcdatamodel/contents")
    try folder.write(otherEntity, to: "B.xcdatamodeld/B 2.xcdatamodel/contents")
    try choose("B.xcdatamodel", in: "B.xcdatamodeld")
    #expect(try names("B.xcdatamodeld") == ["One"])
    try choose("B 2.xcdatamodel", in: "B.xcdatamodeld")
    #expect(try names("B.xcdatamodeld") == ["Other"])
  }

  @Test func `a path leads to the only version where none is chosen`() throws {
    try folder.write(oneEntity, to: "B.xcdatamodeld/B.xcdatamodel/contents")
    try folder.write(
      "<plist version=\"1.0\"><dict/></plist>", to: "B.xcdatamodeld/.xccurrentversion")
    #expect(try names("B.xcdatamodeld") == ["One"])
  }

  @Test func `a path may go through a symbolic link`() throws {
    try folder.write(oneEntity, to: "B.xcdatamodeld/V.xcdatamodel/contents")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/L.xcdatamodeld",
      withDestinationPath: folder.path + "/B.xcdatamodeld")
    #expect(try names("L.xcdatamodeld") == ["One"])
  }

  @Test func `a path must lead to one version`() throws {
    try folder.write(oneEntity, to: "B.xcdatamodeld/B.xcdatamodel/contents")
    try folder.write(oneEntity, to: "B.xcdatamodeld/B 2.xcdatamodel/contents")
    #expect(
      complaint(about: "B.xcdatamodeld", in: folder)
        == "B.xcdatamodeld: has 2 versions, but no .xccurrentversion that names the current one; "
        + "choose the current version in Xcode, or give the path of one .xcdatamodel")
    try choose("B 3.xcdatamodel", in: "B.xcdatamodeld")
    #expect(
      complaint(about: "B.xcdatamodeld/", in: folder)
        == "B.xcdatamodeld/.xccurrentversion: there is no version 'B 3.xcdatamodel'; did you mean "
        + "'B 2.xcdatamodel'?")
    try folder.write("not a list", to: "B.xcdatamodeld/.xccurrentversion")
    #expect(
      complaint(about: "B.xcdatamodeld", in: folder)
        == "B.xcdatamodeld/.xccurrentversion: not a property list that names a version; it should be "
        + "a dictionary with a text _XCCurrentVersionName")
  }

  @Test func `a path must lead to a model`() throws {
    try folder.write("", to: "Empty.xcdatamodeld/Readme")
    try folder.write("", to: "Old.xcdatamodel/elements")
    try folder.write("", to: "None.xcdatamodel/Readme")
    try folder.write("bplist00", to: "Binary.xcdatamodel/contents")
    try folder.write("", to: "Folder.xcdatamodel/contents/Readme")
    try folder.write("", to: "File.xcdatamodel")
    try folder.write("", to: "File.xcdatamodeld")
    try folder.write("", to: "Folder.model/Readme")
    try folder.write("", to: "Model.mom")
    try folder.write("", to: "Model.xml")
    try folder.write(Data([0x4E, 0xFF, 0x0A]), to: "Bytes.model")
    for (path, message) in [
      (
        "Empty.xcdatamodeld",
        "Empty.xcdatamodeld: no model inside; an .xcdatamodeld holds at least one .xcdatamodel"
      ),
      (
        "Old.xcdatamodel",
        "Old.xcdatamodel: a binary model of Xcode 3; save it with a later Xcode, which writes XML"
      ),
      (
        "None.xcdatamodel",
        "None.xcdatamodel: no file 'contents' inside; an .xcdatamodel keeps its XML there"
      ),
      (
        "Binary.xcdatamodel",
        "Binary.xcdatamodel/contents: a binary property list; save the model with Xcode, which "
          + "writes XML"
      ),
      (
        "Folder.xcdatamodel",
        "Folder.xcdatamodel/contents: a directory; an .xcdatamodel keeps its XML there"
      ),
      (
        "File.xcdatamodel",
        "File.xcdatamodel: a file; an .xcdatamodel is a directory with a file 'contents'"
      ),
      (
        "File.xcdatamodeld",
        "File.xcdatamodeld: a file; an .xcdatamodeld is a directory of .xcdatamodel directories"
      ),
      ("Folder.model", "Folder.model: a directory; a .model is a text file"),
      (
        "Model.mom",
        "Model.mom: a compiled model cannot be read; give the .xcdatamodeld that it was compiled from"
      ),
      (
        "Model.xml",
        "Model.xml: not a model; a model is an .xcdatamodeld, .xcdatamodel or .model"
      ),
      ("Bytes.model", "Bytes.model: not UTF-8 text; save it as UTF-8"),
      ("Nowhere.model", "Nowhere.model: no such file; check the path"),
      ("Nowhere.xcdatamodel", "Nowhere.xcdatamodel: no such file; check the path"),
      ("Nowhere.xcdatamodeld/", "Nowhere.xcdatamodeld: no such file; check the path"),
    ] {
      #expect(complaint(about: path, in: folder) == message)
    }
  }

  @Test(arguments: ["", ".", "/", "///", "..", "a", "model", ".model/"])
  func `an impossible path is refused`(path: String) {
    #expect(throws: InputError.self) { try ModelFile.read(path: path) }
  }

  @Test func `an error in a model's text has the line that is wrong`() throws {
    try folder.write("Note\n  title  strin?\n", to: "T.model")
    let complaint = complaint(about: "T.model", in: folder)
    #expect(complaint?.hasPrefix("T.model:2: ") == true)
  }

  @Test func `a model's text must have an entity that is not abstract`() throws {
    try folder.write("abstract Note\n  title  string?\n", to: "A.model")
    #expect(
      complaint(about: "A.model", in: folder)
        == "A.model: has no concrete entity; a model needs an entity that is not abstract")
  }
}

@Suite struct `The project's own models` {
  @Test(arguments: ["EmployeeDepartment", "Note", "PersonDiary", "Publication"])
  func `the project's models are in the form that printing gives`(name: String) throws {
    let path = "\(ModelFolders.fixtures)/\(name).model"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let model = try ModelFile.read(path: path)
    #expect(ModelText.print(model) == text)
  }

  @Test func `a model by Xcode has every type of attribute`() throws {
    let model = try ModelFile.read(path: ModelFolders.fixtures + "/Library.xcdatamodeld")
    #expect(
      ModelText.print(model) == """
        Film : Item
          minutes  integer16 = 90 min 1 max 900
          poster  data?
          trailer  uri? = <https://example.com/trailer>
          scenes  Scene* ordered inverse film cascade max 200
        abstract Item
          acquired  date = @399873600 min @-3155760000 max @3155760000
          barcode  integer?
          caption  string? transient
          copies  integer32 = 1 min 0
          id  uuid = E621E1F8-C36C-495A-93FC-0C247A3E6E5F
          isLent  boolean = false
          labels  transformable?
          price  decimal? = 12.5 min 0 max 999.99
          title  string? = "untitled" min 1 max 80
          weight  float? = 0.5
          width  double? = 0.0 min 0.0
          readers  Reader* inverse items
          shelf  Shelf? inverse items
          unique  barcode
          unique  title acquired
        Reader
          name  string = ""
          items  Item* inverse readers
          recruiter  Reader? inverse recruits noAction
          recruits  Reader* inverse recruiter
        Scene
          summary  string?
          film  Film inverse scenes
        Shelf
          row  integer16 = 0
          items  Item+ inverse shelf deny min 1 max 40

        """)
    let types = model.entities.flatMap { $0.properties.compactMap(\.attribute?.type) }
    #expect(AttributeType.allCases.allSatisfy(types.contains))
  }

  @Test func `a first version of a model is no longer current`() throws {
    let model = try ModelFile.read(
      path: ModelFolders.fixtures + "/Library.xcdatamodeld/Library.xcdatamodel")
    #expect(ModelText.print(model) == "Item\n  title  string?\n")
  }
}

@Suite(
  .enabled(if: ModelFolders.hasShared, "there is no folder shared/models beside the repository"))
struct `The shared models` {
  @Test(arguments: ModelFolders.sharedNames)
  func `a shared model can be printed as text and read again`(name: String) throws {
    let model = try ModelFile.read(path: "\(ModelFolders.shared)/\(name).xcdatamodeld")
    let text = ModelText.print(model)
    let reread = try ModelText.parse(text)
    #expect(ModelText.print(reread) == text)
  }

  @Test func `a shared model has the entities that Xcode shows`() throws {
    let model = try ModelFile.read(path: "\(ModelFolders.shared)/EmployeeDirectory.xcdatamodeld")
    #expect(
      ModelText.print(model) == """
        Contractor : Person
          agency  string?
        Department
          name  string
          employees  Employee* inverse department noAction
        Employee : Person
          salary  integer32 min 0
          department  Department? inverse employees noAction
          projects  Project* inverse members noAction
        abstract Person
          birthDate  date?
          firstName  string
          fullName  string? transient
          lastName  string
        Project
          name  string
          members  Employee* inverse projects noAction

        """)
  }

  @Test func `a shared model has what a chain of subentities inherits`() throws {
    let model = try ModelFile.read(path: "\(ModelFolders.shared)/CarsAndPersons.xcdatamodeld")
    let luxury = model[try #require(model.entity(named: "LuxuryCar"))]
    #expect(
      luxury.properties.map(\.name)
        == ["maker", "markedForDeletionAsOf", "model", "numberPlate", "owner", "isLimitedEdition"])
    #expect(luxury.uniquenessConstraints == [[PropertyID(3)]])
  }

  @Test func `a shared model has a composite as one value`() throws {
    let model = try ModelFile.read(path: "\(ModelFolders.shared)/EvolutionIntegration.xcdatamodeld")
    let item = model[try #require(model.entity(named: "CDEItem"))]
    let location = try #require(item.property(named: "location"))
    #expect(item[location].attribute?.type == .transformable)
  }
}
