import Foundation
import Testing

@Suite struct `The map of the sources` {
  @Test func `the map names files that exist, and every module`() throws {
    let map = try SourceFile.text("Sources/README.md")
    let files = try SourceFile.all(below: "Sources")
    let paths = Set((files + (try SourceFile.all(below: "Tests"))).map(\.path))
    let names = Set(paths.map { String($0.split(separator: "/").last ?? "") } + ["Package.swift"])
    var namedCount = 0
    for (index, word) in map.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    where word.hasSuffix(".swift") && index % 2 == 1 {
      namedCount += 1
      // Paths begin with a module, or with `Tests`.
      let exists =
        word.contains("/")
        ? paths.contains { $0 == word || $0.hasSuffix("/" + word) } : names.contains(String(word))
      #expect(exists, "Sources/README.md names \(word)")
    }
    #expect(namedCount > 20)
    for module in Set(files.map(\.module)).sorted() {
      #expect(map.contains(" | `\(module)` |"), "Sources/README.md has no row for \(module)")
    }
  }
}
