import Foundation
import InputFiles
import Preparing
import Testing

@Suite struct `A preparation` {
  @Test func `names copies apart`() {
    let sources = ["A/Note.swift", "B/Note.swift", "B/Tag.swift"]
    #expect(
      sources.map { Preparation.outputName(of: $0, among: sources) }
        == ["Note.prepared-1.swift", "Note.prepared-2.swift", "Tag.prepared.swift"])
  }
}
