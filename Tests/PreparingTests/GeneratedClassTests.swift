import Foundation
import Preparing
import Testing

@Suite struct `Classes of a model` {
  /// Returns the code for a model with these entities.
  private func classes(_ entities: String) throws -> String {
    let folder = try PreparedFolder()
    let model = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model>\n\(entities)\n</model>\n"
    try folder.write(model, to: "Notes.xcdatamodeld/Notes.xcdatamodel/contents")
    let preparation = try Preparation(paths: [folder.path + "/Notes.xcdatamodeld"])
    let outputs = try preparation.outputs()
    return try #require(outputs.first { $0.name == "Notes+CoreDataClasses.swift" }).text
  }

  /// Returns the declarations, without their bodies.
  private func declarations(_ text: String) -> [String] {
    text.components(separatedBy: "\n").filter { $0.hasSuffix("{") || $0.hasSuffix("{}") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.hasPrefix("get ") && !$0.hasPrefix("set ") }
  }

  @Test func `classes are whole, an extension, or the app's`() throws {
    let text = try classes(
      """
      <entity name="Note" representedClassName="Note" codeGenerationType="class"/>
      <entity name="Tag" representedClassName="AppTag" codeGenerationType="category"/>
      <entity name="Owner" representedClassName="Owner"/>
      """)
    #expect(text.hasPrefix("public import CoreData\n\npublic class Note"))
    #expect(
      declarations(text) == [
        "public class Note: NSManagedObject {}",
        "extension Note {",
        "public class func fetchRequest() -> NSFetchRequest<Note> {",
        "extension Note: Identifiable {}",
        "extension AppTag {",
        "public class func fetchRequest() -> NSFetchRequest<AppTag> {",
        "extension AppTag: Identifiable {}",
      ])
    #expect(text.contains("    NSFetchRequest<AppTag>(entityName: \"Tag\")\n"))
  }

  /// The compiler warns of a public import that no public declaration uses.
  @Test(arguments: [
    ("class", "String", "public import CoreData\n\n"),
    ("class", "Date", "public import CoreData\npublic import Foundation\n\n"),
    ("category", "String", "import CoreData\n\n"),
    ("category", "Date", "import CoreData\nimport Foundation\n\n"),
  ])
  func `classes import what they use`(generation: String, type: String, imports: String) throws {
    let text = try classes(
      """
      <entity name="Note" representedClassName="Note" codeGenerationType="\(generation)">
      <attribute name="value" attributeType="\(type)"/>
      </entity>
      """)
    #expect(text.hasPrefix(imports + (generation == "class" ? "public class" : "extension")))
  }

  @Test func `no classes are written if the app has them all`() throws {
    let text = try classes("<entity name=\"Note\" representedClassName=\"Note\"/>")
    #expect(
      text == "// Notes.xcdatamodeld declares entities whose classes the app defines itself.\n")
  }

  /// A model calls a class of the app's module ".Note", and one of another module "Module.Note".
  @Test func `classes inherit from those of parent entities`() throws {
    let text = try classes(
      """
      <entity name="Item" representedClassName=".AppItem" isAbstract="YES" codeGenerationType="class"/>
      <entity name="Note" representedClassName="App.Note" parentEntity="Item" codeGenerationType="class"/>
      """)
    #expect(
      declarations(text) == [
        "public class AppItem: NSManagedObject {}",
        "extension AppItem {",
        "public class func fetchRequest() -> NSFetchRequest<AppItem> {",
        "extension AppItem: Identifiable {}",
        "public class Note: AppItem {}",
        "extension Note {",
        "public class func fetchRequest() -> NSFetchRequest<Note> {",
      ])
  }

  @Test(arguments: [
    ("Integer 16", "Int16", "NSNumber?"), ("Integer 32", "Int32", "NSNumber?"),
    ("Integer 64", "Int64", "NSNumber?"), ("Double", "Double", "NSNumber?"),
    ("Float", "Float", "NSNumber?"), ("Boolean", "Bool", "NSNumber?"),
    ("Decimal", "NSDecimalNumber?", "NSDecimalNumber?"), ("String", "String?", "String?"),
    ("Date", "Date?", "Date?"), ("Binary", "Data?", "Data?"), ("UUID", "UUID?", "UUID?"),
    ("URI", "URL?", "URL?"), ("Transformable", "NSObject?", "NSObject?"),
  ])
  func `classes have scalars where the model asks for them`(
    type: String, scalar: String, object: String
  ) throws {
    let text = try classes(
      """
      <entity name="Note" representedClassName="Note" codeGenerationType="class">
        <attribute name="a" attributeType="\(type)" usesScalarValueType="YES"/>
        <attribute name="b" optional="YES" attributeType="\(type)" usesScalarValueType="NO"/>
      </entity>
      """)
    #expect(
      declarations(text)[3...4] == ["public var a: \(scalar) {", "public var b: \(object) {"])
    #expect(text.contains("    get { managed(\"a\") }\n    set { setManaged(\"a\", newValue) }\n"))
  }

  @Test func `classes have transformable types, and names that are keywords`() throws {
    let text = try classes(
      """
      <entity name="Note" representedClassName="Note" codeGenerationType="category">
        <attribute name="default" attributeType="Transformable" customClassName="Color"/>
      </entity>
      """)
    #expect(declarations(text).contains("public var `default`: Color? {"))
    #expect(text.contains("managed(\"default\")"))
  }

  private func owner(_ relationship: String) -> String {
    """
    <entity name="Note" representedClassName="Note" codeGenerationType="class">
      <relationship name="tags" optional="YES" destinationEntity="Tag" \(relationship)/>
    </entity>
    <entity name="Tag" representedClassName="AppTag"/>
    """
  }

  @Test func `classes have accessors of to-many relationships`() throws {
    let text = try classes(owner("toMany=\"YES\""))
    #expect(
      declarations(text).dropFirst(3) == [
        "public var tags: NSSet? {",
        "public func addToTags(_ value: AppTag) {",
        "public func removeFromTags(_ value: AppTag) {",
        "public func addToTags(_ values: NSSet) {",
        "public func removeFromTags(_ values: NSSet) {",
        "public func addToTags(_ values: [AppTag]) {",
        "public func removeFromTags(_ values: [AppTag]) {",
        "extension Note: Identifiable {}",
      ])
    #expect(text.contains("    addManaged(\"tags\", value)\n"))
    #expect(text.contains("    removeManaged(\"tags\", values)\n"))
  }

  @Test func `classes have positions in ordered relationships`() throws {
    let text = try classes(owner("toMany=\"YES\" ordered=\"YES\""))
    let found = declarations(text)
    for declaration in [
      "public var tags: NSOrderedSet? {",
      "public func insertIntoTags(_ value: AppTag, at idx: Int) {",
      "public func removeFromTags(at idx: Int) {",
      "public func replaceTags(at idx: Int, with value: AppTag) {",
      "public func addToTags(_ value: AppTag) {",
      "public func addToTags(_ values: NSOrderedSet) {",
      "public func removeFromTags(_ values: NSOrderedSet) {",
    ] {
      #expect(found.contains(declaration), "\(declaration)")
    }
    #expect(text.contains("    insertManaged(\"tags\", value, idx)\n"))
    #expect(text.contains("    removeManaged(\"tags\", at: idx)\n"))
    #expect(text.contains("    replaceManaged(\"tags\", idx, value)\n"))
  }

  @Test func `classes have one object for a to-one relationship`() throws {
    let text = try classes(owner("maxCount=\"1\""))
    #expect(declarations(text).dropFirst(3).first == "public var tags: AppTag? {")
    #expect(!text.contains("addTo"))
  }
}
