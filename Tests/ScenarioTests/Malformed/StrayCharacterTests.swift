import ObjectModel
import Scenario
import Testing

/// Characters that look right in an editor, and other accidents to whole files.
@Suite struct `An error about a text that an editor has changed` {
  private func complaints(_ lines: [String]) -> [String] {
    let text = "stack  two\norigin  inferred\n\n" + lines.map { $0 + "\n" }.joined()
    return complaints(text)
  }

  private func complaints(_ text: String) -> [String] {
    do {
      _ = try StackDesignText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
      return []
    } catch {
      return ([error] + error.others).map { "\($0.line): \($0.message)" }
    }
  }

  @Test func `the error names a merge conflict once`() {
    let sides = [
      "  store  main", "<<<<<<< ours", "  view  mainQueue coordinator store", "=======",
      "  view  mainQueue coordinator store autoMerge", ">>>>>>> theirs",
    ]
    let complaint =
      "5: unresolved merge conflict; keep one side, and delete the conflict markers"
    #expect(complaints(sides) == [complaint])
    #expect(
      complaints([sides[0], sides[1], sides[2], "||||||| base"] + sides[3...]) == [complaint])
  }

  @Test(arguments: [
    ("\u{A0}", "unexpected no-break space; write a space"),
    ("\u{2003}", "unexpected space character U+2003; write a space"),
    ("\u{200B} ", "unexpected space character U+200B; write a space"),
  ])
  func `the error names an unusual space and its column`(space: String, complaint: String) {
    #expect(
      complaints(["  store  main", "  view\(space) mainQueue coordinator store"])
        == ["5: \(complaint), in column 7"])
  }

  @Test func `the error names a letter that no name can have`() {
    #expect(
      complaints(["  store  main", "  vïew  mainQueue coordinator store"]) == [
        "5: unexpected 'ï'; names consist of the letters A to Z, digits and '_', in column 4"
      ])
    #expect(throws: TextError.self) { try ModelText.parse("Nöte\n  title  string?\n") }
  }

  @Test func `the error names a curly quotation mark, but none within a string`() throws {
    let model = "Note\n  title  string? = "
    #expect {
      try ModelText.parse(model + "“x”\n")
    } throws: { error in
      "\(error)" == "line 2: '“' cannot begin or end a string; write \", in column 20"
    }
    for literal in ["\"“é”\u{A0}\"", "\"C:\\\\\" not \"é\"", "\"a\\\"é\""] {
      #expect(throws: Never.self, "\(literal)") { try ModelText.parse(model + literal + "\n") }
    }
    #expect(throws: Never.self) { try ModelText.parse("Note\n  bytes  data? = <é>\n") }
  }

  @Test func `the error names a misplaced header, or lost line feeds`() {
    #expect(
      complaints(["  model  Note.model", "  store  main", "  view  mainQueue coordinator store"])
        .first == "4: 'model' is part of the header; write it above the stack, not indented")
    #expect(
      complaints("# two contexts  stack  two  store  main").first
        == "1: the text is a single line; write each part on a separate line")
  }

  @Test func `no character of a comment is an error`() {
    #expect(
      complaints(["  store  main", "  view  mainQueue coordinator store"]) == []
        && complaints("# “naïve”\nstack  s\n\n  store  main\n  view  mainQueue coordinator store\n")
          == []
    )
  }
}
