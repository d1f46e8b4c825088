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
    "let a = \"// faultline: promise unique Note.title\"\n",
    "let a = \"\"\"\n  // faultline: promise unique Note.title\n  \"\"\"\n",
    "/* // faultline: promise unique Note.title */\n",
    "// See faultline: promise unique Note.title\n",
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
}
