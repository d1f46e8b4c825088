import Foundation
import Prose
import Testing

@Suite struct `Wrapped text` {
  @Test func `wrapped text keeps a quotation as it is, on one line`() {
    let text = "after step 2: it fails without 'editor  save' (the stack's own), as it did"
    #expect(
      wrapped(text, indentation: 2, width: 100)
        == ["after step 2: it fails without 'editor  save' (the stack's own), as it did"])
    for width in 20...60 {
      let lines = wrapped(text, indentation: 2, width: width)
      #expect(lines.contains { $0.contains("'editor  save'") }, "\(width): \(lines)")
      #expect(lines.allSatisfy { $0.count <= width }, "\(width): \(lines)")
      #expect(
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ") == text)
    }
  }

  @Test func `wrapped text breaks a quotation that fits no line, but no apostrophe`() {
    let long = "'view  insert Note as note1' is the contexts' own"
    let lines = wrapped(long, indentation: 0, width: 12)
    #expect(lines.count > 3 && lines.allSatisfy { $0.count <= 12 }, "\(lines)")
    #expect(
      wrapped("the  contexts' own  words' end", indentation: 0) == ["the contexts' own words' end"])
    #expect(
      wrapped("a 'b, c', d", indentation: 0, at: ", ", width: 8) == ["a 'b,", "c', d"])
  }
}
