import Foundation
import Testing

@Suite struct `The map of the sources` {
  @Test func `names files that exist, and every module`() throws {
    let map = try SourceFile.text("Sources/README.md")
    let files = try SourceFile.all(below: "Sources")
    let paths = try Set((files + SourceFile.all(below: "Tests")).map(\.path))
    var namedCount = 0
    for (index, word) in map.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    where word.hasSuffix(".swift") {
      guard index % 2 == 1, word.contains("/") else { continue }
      namedCount += 1
      let path = word.hasPrefix("Tests/") ? String(word) : "Sources/" + word
      #expect(paths.contains(path), "Sources/README.md names \(word)")
    }
    #expect(namedCount > 20)
    for module in Set(files.map(\.module)).sorted() {
      #expect(map.contains("| `\(module)` |"), "Sources/README.md has no row for \(module)")
    }
  }
}
