import Foundation
import InputFiles
import Preparing
import Testing

@Suite struct `A preparation` {
  @Test func `a preparation gives copies different names`() {
    let sources = ["A/Note.swift", "B/Note.swift", "B/Tag.swift"]
    #expect(
      sources.map { Preparation.outputName(of: $0, among: sources) }
        == ["Note.prepared-1.swift", "Note.prepared-2.swift", "Tag.prepared.swift"])
  }

  @Test func `a preparation takes all sources and models of a folder`() throws {
    let folder = try PreparedFolder()
    for name in [
      "B.swift", "A.swift", "Inner/C.swift", ".hidden/D.swift", "E.txt", "F.bundle/G.swift",
    ] {
      try folder.write("let a = 1", to: name)
    }
    try folder.write("<model></model>", to: "Inner/Notes.xcdatamodel/contents")
    let preparation = try Preparation(paths: [folder.path + "/"])
    #expect(
      preparation.sources == ["A.swift", "B.swift", "Inner/C.swift"].map { folder.path + "/" + $0 })
    #expect(preparation.models == [folder.path + "/Inner/Notes.xcdatamodel"])
    let names = try preparation.outputs().map(\.name)
    #expect(
      names == [
        Preparation.shadowsName, "A.prepared.swift", "B.prepared.swift", "C.prepared.swift",
        "Notes+CoreDataClasses.swift",
      ])
  }

  @Test func `the first line of a copy says where its source is`() throws {
    let folder = try PreparedFolder()
    let path = try folder.write("let a = 1\n", to: "a \"b\".swift")
    let output = try #require(try Preparation(paths: [path]).outputs().last)
    let escaped = path.replacingOccurrences(of: "\"", with: "\\\"")
    #expect(
      output.text
        == "import CoreData\n#sourceLocation(file: \"\(escaped)\", line: 1)\nlet a = 1\n")
  }

  /// An import without an access level beside others with one is an error. A needless public import
  /// is a warning.
  @Test(arguments: [("", ""), ("internal ", "public "), ("public ", "public ")])
  func `a preparation imports as the module does`(access: String, expected: String) throws {
    let folder = try PreparedFolder()
    try folder.write("\(access)import CoreData\n", to: "A.swift")
    try folder.write("let a = 1\n", to: "B.swift")
    let output = try #require(try Preparation(paths: [folder.path]).outputs().last)
    #expect(output.text.hasPrefix("\(expected)import CoreData\n#sourceLocation"))
  }

  @Test(arguments: [
    "actor Tracker: ModelActor {", "@ModelActor(disabled: true) public actor Tracker {",
  ])
  func `an actor keeps the executor that a dependency gives it`(head: String) throws {
    let (folder, other) = (try PreparedFolder(), try PreparedFolder())
    let path = try folder.write(head + " var count = 0 }\n", to: "A.swift")
    let dependency = try other.write(
      "public protocol ModelActor: Actor {}\n"
        + "extension ModelActor { var unownedExecutor: UnownedSerialExecutor { own } }\n",
      to: "ModelActor.swift")
    var preparation = try Preparation(paths: [path])
    #expect(try #require(try preparation.outputs().last).text.contains("__ActorExecutor"))
    preparation.dependencySources = [dependency]
    let outputs = try preparation.outputs()
    #expect(outputs.map(\.name) == [Preparation.shadowsName, "A.prepared.swift"])
    #expect(!outputs[1].text.contains("__ActorExecutor"))
  }

  @Test func `a preparation gives tests the types of tests, too`() throws {
    let folder = try PreparedFolder()
    func shadows() throws -> String {
      try #require(
        try Preparation(paths: [folder.path]).outputs()
          .first { $0.name == Preparation.shadowsName }
      ).text
    }
    try folder.write("let a = \"import XCTest\" // import XCTest", to: "A.swift")
    #expect(try shadows().contains("typealias DispatchQueue = SimulatedDispatchQueue"))
    #expect(try !shadows().contains("XCTest"))
    // Models are looked for near the sources, wherever the copies are.
    #expect(try shadows().contains("caller: \"\(folder.path)/A.swift\""))
    try folder.write("import\n  XCTest", to: "B.swift")
    #expect(try shadows().contains("typealias XCTestCase = SimulatedXCTestCase"))
    #expect(try shadows().contains("import CoreDataXCTest"))
  }

  @Test func `a preparation gives the types of a log to modules that use them and have none`()
    throws
  {
    let folder = try PreparedFolder()
    func shadows() throws -> String {
      try #require(try Preparation(paths: [folder.path]).outputs().first).text
    }
    try folder.write("struct Part { struct OSLog {} }", to: "A.swift")
    #expect(try !shadows().contains("Logger"))
    try folder.write("import os", to: "B.swift")
    #expect(try shadows().contains("public typealias Logger = SimulatedLogger\n"))
    #expect(try shadows().contains("public typealias OSLog = SimulatedOSLog\n"))
    for logger in ["struct Logger {}", "private struct Logger {}"] {
      try folder.write(logger, to: "C.swift")
      #expect(try !shadows().contains("typealias Logger "))
    }
  }

  @Test func `a preparation leaves a name to a module that has a type of that name`() throws {
    let folder = try PreparedFolder()
    func shadows() throws -> String {
      try #require(try Preparation(paths: [folder.path]).outputs().first).text
    }
    try folder.write("struct Part { struct Timer {} }", to: "A.swift")
    try folder.write(
      "private final class SortDescriptor {}\n#if os(iOS)\nclass SortDescriptor {}\n#endif",
      to: "B.swift")
    #expect(try shadows().contains("public typealias Timer = SimulatedTimer\n"))
    #expect(try shadows().contains("public typealias SortDescriptor = SimulatedSortDescriptor\n"))
    try folder.write("public final class SortDescriptor<Model> {}", to: "C.swift")
    #expect(try !shadows().contains("typealias SortDescriptor "))
    // Foundation's type is still available under its full name.
    #expect(
      try shadows().contains("typealias __FoundationSortDescriptor = SimulatedSortDescriptor\n"))
  }

  @Test func `a preparation makes files public where these fulfil a protocol`() throws {
    let folder = try PreparedFolder()
    func shadows() throws -> String {
      try #require(try Preparation(paths: [folder.path]).outputs().first).text
    }
    try folder.write("extension FileManager { func f() {} }", to: "A.swift")
    #expect(try !shadows().contains("public extension FileManager"))
    try folder.write("extension FileManager: Files {}", to: "B.swift")
    #expect(try shadows().contains("public extension FileManager"))
  }

  @Test func `a preparation leaves Foundation's names to a @testable import`() throws {
    let folder = try PreparedFolder()
    try folder.write("let a = 1", to: "A.swift")
    let shadows = try #require(try Preparation(paths: [folder.path]).outputs().first).text
    for name in ["init() { self = SimulatedValues.date", "init() { self = SimulatedValues.uuid"] {
      #expect(shadows.contains("@_disfavoredOverload @usableFromInline \(name)"))
    }
  }

  @Test func `a preparation has a file once that two paths name`() throws {
    let folder = try PreparedFolder()
    let path = try folder.write("let a = 1", to: "A.swift")
    let twice = try Preparation(paths: [path, folder.path, folder.path + "/./A.swift"])
    #expect(try twice.outputs().map(\.name) == [Preparation.shadowsName, "A.prepared.swift"])
  }

  @Test func `a preparation says which modules the package has`() throws {
    let folder = try PreparedFolder()
    try folder.write("let a = 1", to: "A.swift")
    var preparation = try Preparation(paths: [folder.path])
    preparation.modules = ["App", "AppTests"]
    let shadows = try #require(try preparation.outputs().first)
    #expect(shadows.text.contains(#"names: [String] { ["App", "AppTests"] }"#))
  }

  @Test func `a module has the main bundle for its resources, unless it has its own`() throws {
    func declaresBundle(_ source: String, hasResources: Bool = false) throws -> Bool {
      let folder = try PreparedFolder()
      try folder.write(source, to: "A.swift")
      var preparation = try Preparation(paths: [folder.path])
      preparation.hasResources = hasResources
      return try #require(try preparation.outputs().first).text.contains("var module: Bundle")
    }
    #expect(try declaresBundle("let a = 1"))
    #expect(try declaresBundle("let a = 1", hasResources: true) == false)
    let own = "extension Bundle { static let module = Bundle(for: A.self) }"
    #expect(try declaresBundle(own) == false)
    #expect(try declaresBundle("#if !SWIFT_PACKAGE\n\(own)\n#endif"))
  }

  @Test func `a preparation says what Objective-C calls its classes`() throws {
    let folder = try PreparedFolder()
    try folder.write(
      """
      @objc(CDNote) @objcMembers public final class Note: NSManagedObject { @objc(x) class B {} }
      @objc(Tag) class Tag: NSManagedObject {}
      @objc class Plain: NSManagedObject {}
      @objc(Hidden) private class Hidden: NSManagedObject {}
      enum Names { @objc(Inner) class Inner: NSObject {} }
      #if DEBUG
      @objc(Perhaps) class Perhaps: NSObject {}
      #endif
      """, to: "A.swift")
    let shadows = try #require(try Preparation(paths: [folder.path]).outputs().first).text
    #expect(shadows.contains(#"{ ["CDNote": Note.self, "Tag": Tag.self] }"#))
  }

  @Test func `a preparation leaves a file alone that does not change`() throws {
    let (folder, target) = (try PreparedFolder(), try PreparedFolder())
    try folder.write("let a = 1", to: "A.swift")
    try folder.write("let b = 1", to: "B.swift")
    let output = target.path + "/new/folder"
    let past = Date(timeIntervalSinceReferenceDate: 1_000)
    func date(_ name: String) throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: output + "/" + name)[.modificationDate]
        as? Date
    }
    try Preparation(paths: [folder.path]).write(to: output)
    for name in try FileManager.default.contentsOfDirectory(atPath: output) {
      try FileManager.default.setAttributes(
        [.modificationDate: past], ofItemAtPath: output + "/" + name)
    }
    try folder.write("let b = 2", to: "B.swift")
    try Preparation(paths: [folder.path]).write(to: output)
    #expect(try date("A.prepared.swift") == past)
    #expect(try date(Preparation.shadowsName) == past)
    #expect(try date("B.prepared.swift") != past)
    let text = try String(contentsOfFile: output + "/B.prepared.swift", encoding: .utf8)
    #expect(text.hasSuffix("let b = 2"))
  }

  @Test func `a preparation throws at a path that is no source`() throws {
    let folder = try PreparedFolder()
    let text = try folder.write("let a = 1", to: "A.txt")
    for path in [text, folder.path + "/none", ""] {
      let error = #expect(throws: InputError.self) { _ = try Preparation(paths: [path]) }
      #expect(error?.file == path && error?.message.contains("neither a Swift source") == true)
    }
    for path in [folder.path + "/None.swift", folder.path + "/None.xcdatamodeld"] {
      let preparation = try Preparation(paths: [path])
      let error = #expect(throws: InputError.self) { _ = try preparation.outputs() }
      #expect(error?.file == path)
    }
    let source = try folder.write("let a = 1", to: "A.swift")
    let preparation = try Preparation(paths: [source])
    // A file is where the folder should be.
    let error = #expect(throws: InputError.self) { try preparation.write(to: text) }
    #expect(error?.file == text)
  }

  /// The end of each sample is missing, in the middle of a word, a literal, a comment, or brackets.
  @Test(arguments: [
    "@objc(Note) final class Note: NSManagedObject { @objc dynamic var count = 0 }",
    "@NSManaged public private(set) var tags: Set<Foo.Bar<[String: Int]>>? // tags\nvar a: Int",
    "@NSManaged var primitiveTitle: (String, Int)?, other: Int",
    "public override init(entity: Entity, insertInto context: Context?) { super.init() }",
    "add(#selector(self.reload(_:)), #selector(getter: a), #selector(List.b))",
    "let a = try f(Note.fetchRequest() as! NSFetchRequest<Foo<Bar>>)",
    "let a = \"\\(b(\")\", \"\"\"\n \\(c[\"d\"])\n \"\"\")) e\" + ##\"\\##(f(\"g\"))\"##",
    "/* a /* b */ \" */ let a = #/[\"(]/# + `class` + ##/ /# /## // ä€😀",
    "@objc(addTags:)\n@NSManaged\npublic func addToTags(_ values: NSSet) -> Void",
    "@NSManaged func insertIntoTags(_ value: Tag, at index: Int)",
    "@NSManaged @objc(text) dynamic var title: String",
    "let a = #keyPath(Note.author?.name)",
    "class A { }\nextension A { public override class func f() throws -> Int { 1 } }",
    "let a = \"\\(#keyPath(Note.author?.name)) == 1\"",
    "let a = \"\"\"\n  \\\n  \\(\"\\\"\")\n  \"\"\"",
  ])
  func `the preparation of any beginning of a source has all its lines`(sample: String) throws {
    let folder = try PreparedFolder()
    let beginnings = (0...sample.unicodeScalars.count).map {
      String(sample.unicodeScalars.prefix($0))
    }
    let paths = try beginnings.enumerated().map { index, text in
      try folder.write(text, to: "A\(index).swift")
    }
    let preparation = try Preparation(paths: paths)
    let outputs = Dictionary(
      uniqueKeysWithValues: try preparation.outputs().map { ($0.name, $0.text) })
    for (index, text) in beginnings.enumerated() {
      let output = try #require(outputs["A\(index).prepared.swift"])
      // After the import come the location of the source, the source, and perhaps errors for the
      // compiler.
      let body = output.components(separatedBy: "\n#sourceLocation")[1]
      #expect(
        body.components(separatedBy: "\n").count == text.components(separatedBy: "\n").count + 1,
        "\(text)")
    }
  }

  @Test func `a preparation says where models and mapping models are`() throws {
    let folder = try PreparedFolder()
    try folder.write("let a = 1", to: "App/A.swift")
    try folder.write("let b = 1", to: "App/Inner/B.swift")
    try folder.write("<model></model>", to: "App/Notes.xcdatamodel/contents")
    try folder.write("<database></database>", to: "App/OneToTwo.xcmappingmodel/xcmapping.xml")
    let preparation = try Preparation(paths: [folder.path])
    #expect(preparation.mappingModels == [folder.path + "/App/OneToTwo.xcmappingmodel"])
    let shadows = try #require(try preparation.outputs().first).text
    #expect(shadows.contains("var folder: String { \"\(folder.path)/App\" }"))
    #expect(
      shadows.contains(
        "{ [\"\(folder.path)/App/Notes.xcdatamodel\", "
          + "\"\(folder.path)/App/OneToTwo.xcmappingmodel\"] }"))
  }

  @Test func `a policy's methods are called by the selectors of expressions`() throws {
    let folder = try PreparedFolder()
    let path = try folder.write(
      """
      class Policy: NSEntityMigrationPolicy {
        @objc(title:of:) func title(_ text: String, of source: NSManagedObject) -> String { text }
        @objc func other(forPage page: Int) -> Int { page }
        func unknown(_ text: String) -> String { text }
      }
      class Plain { @objc func other(_ page: Int) -> Int { page } }
      """, to: "A.swift")
    let text = try #require(try Preparation(paths: [path]).outputs().last).text
    #expect(
      text.contains(
        "case \"title:of:\": return .some(self.title(simulatedArgument(arguments, 0), "
          + "of: simulatedArgument(arguments, 1)));"))
    #expect(
      text.contains(
        "case \"otherForPage:\": return .some(self.other("
          + "forPage: simulatedArgument(arguments, 0)));"))
    #expect(!text.contains("unknown\":") && text.components(separatedBy: "called(").count == 3)
  }
}
