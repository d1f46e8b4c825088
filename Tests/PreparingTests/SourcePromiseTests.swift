import Preparing
import Testing

@Suite struct `Promises in comments` {
  private func promises(_ sources: String...) throws -> String? {
    let folder = try PreparedFolder()
    for (index, source) in sources.enumerated() {
      try folder.write(source, to: "Source\(index).swift")
    }
    let types = try #require(
      try Preparation(paths: [folder.path]).outputs().first { $0.name == Preparation.shadowsName })
    return types.text.split(separator: "\n").first { $0.contains("class var promises") }
      .map { $0.drop { $0 == " " } }.map(String.init)
  }

  @Test func `a module declares the promises of its sources, each once`() throws {
    let first = """
      // faultline: promise unique Note.title
      struct A {}  // faultline: promise  every Note has title != "a  b"
      """
    let second = "import CoreData\n  // faultline: promise unique Note.title\n"
    #expect(
      try promises(first, second)
        == #"override public class var promises: [String] { ["unique Note.title", "#
        + #""every Note has title != \"a  b\""] }"#)
    #expect(
      try promises("let a = 1\n") == "override public class var promises: [String] { [] }")
  }

  @Test(arguments: [
    "//faultline: promise unique Note.title", "/// Faultline: promise unique Note.title",
    "//\tfaultline:promise\tunique Note.title",
    "//  Faultline:  promise  unique Note.title\r",
  ])
  func `spaces, slashes and case of the first word do not matter`(comment: String) throws {
    #expect(
      try promises(comment + "\n")
        == #"override public class var promises: [String] { ["unique Note.title"] }"#)
  }

  @Test(arguments: [
    "let a = \"// faultline: promise unique Note.title\"\n",
    "let a = \"\"\"\n  // faultline: promise unique Note.title\n  \"\"\"\n",
    "/* // faultline: promise unique Note.title */\n",
    "// See faultline: promise unique Note.title\n",
    "// faultlines: promise unique Note.title\n", "// Faultline: slow in many schedules\n",
  ])
  func `text that is no comment for Faultline promises nothing`(source: String) throws {
    #expect(try promises(source) == "override public class var promises: [String] { [] }")
    #expect(try PreparedSource(source).errors.isEmpty)
  }

  @Test func `a comment that is no promise stops the compilation`() throws {
    let source = try PreparedSource(
      "let a = 1\n// faultline: promis unique Note.title\n// faultline: promise\nlet b = 2")
    #expect(
      source.errors == [
        "2: a comment for Faultline is a promise, such as "
          + "'// faultline: promise unique Record.remoteID'",
        "3: the comment ends before the promise, such as 'unique Record.remoteID'",
      ])
  }

  /// Returns the compiler's messages for a promise in a module with a model of notes.
  private func messages(_ promise: String, hasModel: Bool = true) throws -> [String] {
    let folder = try PreparedFolder()
    let path = try folder.write("// faultline: promise \(promise)\n", to: "Source.swift")
    if hasModel {
      try folder.write(
        """
        <model><entity name="Note"><attribute name="title" attributeType="String"/></entity></model>
        """, to: "Notes.xcdatamodel/contents")
    }
    let outputs = try Preparation(paths: [folder.path]).outputs()
    let text = try #require(outputs.first { $0.name == "Source.prepared.swift" }).text
    let lines = text.split(separator: "\n").map(String.init)
    return try lines.indices.filter { lines[$0].contains(/^#(error|warning)/) }.map {
      try #require(lines[$0 - 1] == "#sourceLocation(file: \"\(path)\", line: 1)")
      return lines[$0]
    }
  }

  @Test(arguments: [
    (
      "uniq Note.title",
      "no promise 'uniq'; a promise of code begins with 'unique', 'every', 'count', 'sum' and "
        + "'eventually'"
    ),
    ("unique Note.titel", "no property 'titel'; 'Note' has 'title': did you mean 'title'?"),
    ("count Note <= \"1\"", "expected a count from 0 to 2147483647 instead of '\"1\"'"),
    (
      "clean work after finish",
      "code is not divided into parts of a stack, so it can only promise something about its data"
    ),
    ("unique Note.title after finish", "no entry point 'finish'; the stack has none"),
  ])
  func `a promise that no run could read stops the compilation`(
    promise: String, message: String
  ) throws {
    let escaped = message.replacing("\"", with: "\\\"")
    let messages = try messages(promise)
    #expect(messages == ["#error(\"\(escaped)\")"])
  }

  @Test func `a promise about an entity that the models lack gets a warning`() throws {
    #expect(
      try messages("unique Not.title") == [
        "#warning(\"promise names entity 'Not'; the model has 'Note': did you mean 'Note'?\")"
      ])
    // Code or another module may define the entity.
    #expect(try messages("unique Not.title", hasModel: false) == [])
    #expect(try messages("uniq Not.title", hasModel: false).count == 1)
  }

  @Test(arguments: [
    "unique Note.title in view", "eventually count Note == 1", "count Note <= 1 always",
  ])
  func `a promise about the models compiles, whatever contexts it names`(promise: String) throws {
    #expect(try messages(promise) == [])
  }
}
