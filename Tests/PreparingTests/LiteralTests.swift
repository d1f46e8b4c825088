import Foundation
import Preparing
import Testing

@Suite struct `Literals and comments in a prepared source` {
  /// Code that would be rewritten outside of literals and comments.
  private static let code =
    "@NSManaged var a: Int @objc dynamic var b #keyPath(Note.c) as! NSFetchRequest<D>"

  @Test(arguments: [
    "let a = \"\(code)\"",
    "let a = \"\\\"\(code)\\\"\"",
    "let a = \"\\\\\" + \"\(code)\"",
    "let a = #\"\(code) \" \\\"\(code)\"#",
    "let a = ##\"\"# \(code)\"##",
    "let a = \"\"\"\n  \(code)\n  \"\(code)\" \"\"\\\"\"\n  \(code)\n  \"\"\"",
    "let a = #\"\"\"\n  \"\"\" \(code)\n  \\(x)\n  \"\"\"#",
    "let a = \"\\(b(\")\")) \(code)\"",
    "let a = \"\\(b[\"\\(c(\"(\"))\"] ?? \"(\") \(code)\"",
    "let a = \"\\((1, (2, \"\\\")\"))) \(code)\"",
    "let a = #\"\\#(b(\")\")) \\(\" \(code)\"#",
    "let a = \"\"\"\n  \\(b(\"\"\"\n    ) \" \(code)\n    \"\"\")) \(code)\n  \"\"\"",
    "let a = \"\" + \"\(code)\"",
  ])
  func `literals of text are left as they are`(source: String) throws {
    #expect(try PreparedSource(source + "\nlet end = 1").body == source + "\nlet end = 1")
  }

  @Test(arguments: [
    "// \(code)", "/// \"\(code)", "/* \(code) */ let a = 1", "/* /* \(code) */ \(code) */",
    "/*\n \" \(code)\n /* \(code) */ ' \n \(code) */ let a = 1", "/** \(code) // */",
    "let a = 1 // \" \(code)", "/*/ \(code) */",
  ])
  func `comments are left as they are`(source: String) throws {
    #expect(try PreparedSource(source + "\nlet end = 1").body == source + "\nlet end = 1")
  }

  @Test(arguments: [
    "let a = #/\(code)/#", "let a = #/[\"'] \(code)/#", "let a = ##/ /# \(code)/##",
    "let a = #/\n  \(code) \" \n/#",
  ])
  func `literals of regular expressions are left as they are`(source: String) throws {
    #expect(try PreparedSource(source + "\nlet end = 1").body == source + "\nlet end = 1")
  }

  /// The literal must end where the compiler ends it. Otherwise the code after it would not be
  /// rewritten.
  @Test(arguments: [
    "\"\"", "\"a\"", "\"\\\"\"", "\"\\\\\"", "#\"\"#", "#\"\\\"#", "#\"a\"b\"#", "#\"\"\"#",
    "##\"\"\"a\"##", "\"\\(f(\")\"))\"",
    "\"\\(f(\"\\(g)\"))\"", "\"\\(f { \")\" })\"", "\"//\"", "\"/*\"", "\"\\(a /* ) */)\"",
    "\"\"\"\n  \" \"\" \n  \"\"\"", "#\"\"\"\n  \"\"\"\n  \"\"\"#", "#/\"/#", "#/(/#", "##/ /# /##",
    "/* \" */ 1", "/* /* */ */ 1", "1 // \"\n", "`class`", "1...2", "0x1F", "1.5e3", "'\\''",
    "\"ä€😀\"",
  ])
  func `literals end where the compiler ends them`(literal: String) throws {
    let source = try PreparedSource("let a = \(literal)\n@objc(b) func b() {}")
    #expect(source.body == "let a = \(literal)\n func b() {}")
  }

  @Test func `literals do not hide the code between them`() throws {
    let source = try PreparedSource(
      "f(\"#keyPath(A.b)\", #keyPath(A.b), /* #keyPath(A.b) */ #keyPath(A.c)) // #keyPath(A.b)")
    #expect(
      source.body == "f(\"#keyPath(A.b)\", \"b\", /* #keyPath(A.b) */ \"c\") // #keyPath(A.b)")
  }

  @Test func `literals keep line breaks of any kind`() throws {
    let source = try PreparedSource("@objc class A {\r\n  let a = \"b\"\r\n}\r\n")
    #expect(source.body == " class A {\r\n  let a = \"b\"\r\n}\r\n")
  }
}
