/// Declares the places of the test methods of an `XCTestCase`. XCTest on Linux does not know them,
/// and failures without an assertion are reported there.
extension SourceRewriter {
  /// Returns the code that a class gets after its brace, or `nil` if it has no tests.
  func testPlaces(ofClassAt index: Int, named name: String) -> String? {
    guard classes.isTestCase(name),
      let brace = tokens[index...].firstIndex(where: { $0.text == "{" })
    else { return nil }
    var (places, depth): ([String], Int) = ([], 0)
    for position in brace..<end(ofBracketAt: brace) {
      switch text(position) {
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      case "func" where depth == 1 && text(position + 1).hasPrefix("test"):
        let method = text(position + 1)
        if text(position + 2) == "(", !places.contains(where: { $0.hasPrefix("\"\(method)\"") }) {
          places.append("\"\(method)\": (#filePath, \(tokens[position].line))")
        }
      default: break
      }
    }
    guard !places.isEmpty else { return nil }
    return
      " nonisolated public override class var testPlaces: [String: (file: String, line: Int)] "
      + "{ super.testPlaces.merging([\(places.joined(separator: ", "))]) { $1 } };"
  }
}
