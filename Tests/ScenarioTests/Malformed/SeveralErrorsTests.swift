import Scenario
import Testing

@Suite struct `Several errors of a file` {
  private func errors(_ text: String) throws -> [String] {
    do throws(TextError) {
      _ = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
      return []
    } catch {
      return ([error] + error.others).map { "\($0.line): \($0.message)" }
    }
  }

  private func scenario(_ steps: String, claims: String = "") -> String {
    """
    scenario  bad
    evidence  inferred

    model
      Note
        title  string?

    stack
      store  main
      view  mainQueue coordinator store

    steps
    \(steps)

    claims
    \(claims.isEmpty ? "  succeeded" : claims)
    """
  }

  @Test func `errors are reported together, without those that follow from others`() throws {
    let steps = """
        view  insert Nte as n
        view  set n.title "a"
          > view  whatever
        veiw  save
        view  perform
          st n.title "x"
          sav
        view  insert Note as m
        view  get m.titel
      """
    let found = try errors(scenario(steps, claims: "  equal  view.m {titel: 1}\n  cleen  view"))
    #expect(
      found.map { $0.prefix { $0 != "'" } } == [
        "13: step inserts entity ", "16: step names lane ", "18: no lane or verb ",
        "19: no lane or verb ", "21: no property ", "24: no property ", "25: no claim ",
      ], "\(found)")
  }

  @Test func `errors of a stack are reported together`() throws {
    let text = scenario("  view  save").replacing("  store  main", with: "  stroe  main")
      .replacing(
        "  view  mainQueue coordinator store",
        with: """
            view  mainQue coordinator store
            edit  privateQueue parent view
          """)
    #expect(
      try errors(text) == [
        "9: no declaration 'stroe': did you mean 'store'?",
        "10: no queue type 'mainQue'; there are 'mainQueue', 'privateQueue' and 'confinement': "
          + "did you mean 'mainQueue'?",
      ])
  }

  @Test func `errors are counted where there are many`() throws {
    let steps = (1...30).map { _ in "  veiw  save" }.joined(separator: "\n")
    let found = try errors(scenario(steps))
    #expect(found.count == 21)
    #expect(found.last == "33: 10 more errors are not shown, from here on")
  }

  @Test func `an empty block is no error`() throws {
    #expect(try errors(scenario("  view  perform")) == [])
    #expect(try errors(scenario("  view  perform\n    sav")).map { $0.prefix(3) } == ["14:"])
  }

  @Test func `an error between steps names where a claim belongs`() throws {
    let found = try errors(scenario("  claim  clean view\n  view  save\n      claim  clean view"))
    #expect(found.count == 2 && found.allSatisfy { $0.contains("misplaced claim") })
  }

  @Test func `errors of every part of the file are reported together`() throws {
    let text = scenario("  veiw  save\n  view  perform\n\tsave", claims: "  cleen  view")
      .replacing("evidence  inferred", with: "evidence  infered\nquirk  none\nquirk  none")
      .replacing("  view  mainQueue", with: "  edit  mainQue parent view\n  view  mainQueue")
      .replacing("\n\nclaims", with: "\n\nclaim\n  clean  view\n\nclaims")
    let found = try errors(text)
    #expect(
      found.map { $0.prefix { $0 != "'" } } == [
        "2: no evidence ", "3: no quirk ", "4: ", "12: no queue type ", "16: step names lane ",
        "18: line is indented with a tab; indent with two spaces per level", "20: no section ",
        "24: no claim ",
      ], "\(found)")
  }

  @Test func `errors that a correct model would resolve are not reported`() throws {
    let steps = "  view  insert Note as n\n  view  set n.title 3\n  veiw  save"
    let text = scenario(steps, claims: "  equal  store.Note [n]")
      .replacing("string?", with: "strng?")
    #expect(try errors(text).map { $0.prefix(3) } == ["6: ", "15:"])
    let missing = scenario(steps).replacing("model\n  Note\n    title  string?", with: "model  x")
    #expect(try errors(missing).map { $0.prefix(3) } == ["4: ", "13:"])
  }

  /// A line in the wrong place is read, and so are the lines below it.
  @Test func `errors are found in lines that are indented too much or too little`() throws {
    let steps = """
        view  insert Note as n
          view  set n.titel "x"
        veiw  save
        view  perform
           sav
           set n.title "y"
        claim  clen  view
      """
    let text = scenario(steps, claims: "   cleen  view\n  clean  view")
      .replacing("\n  view  mainQueue", with: "\n    view  mainQueue")
      .replacing(
        "coordinator store\n",
        with:
          "coordinator store\n   edit  privateQue parent view\n  entry  done\n   edit  save\n   view  sav\n"
      ).replacing("  title  string?", with: "   title  string?\n     body  string?")
      .replacing("\nevidence", with: "\n evidence")
    #expect(
      try errors(text).map { $0.replacing(#/ is indented by [0-9].*/#, with: "") }
        .map { $0.replacing(#/; .*|: did you mean.*/#, with: "") } == [
          "2: 'evidence' is indented", "6: line", "7: line", "11: line", "12: line",
          "12: no queue type 'privateQue'", "14: line", "15: line", "15: no verb 'sav'",
          "19: line", "19: no property 'titel'", "20: step names lane 'veiw'",
          "22: line", "22: no lane or verb 'sav'", "24: misplaced claim", "24: no claim 'clen'",
          "27: line", "27: no claim 'cleen'",
        ])
  }

  @Test func `errors are found in lines of a model that stand in the wrong place`() throws {
    let text = "Note\n   title  strng?\n  body  sting?\n"
    #expect {
      _ = try ModelText.parse(text)
    } throws: { error in
      guard let error = error as? TextError else { return false }
      return ([error] + error.others).map { "\($0.line) \($0.message.prefix(7))" }
        == ["2 line is", "2 no type", "3 no type"]
    }
  }

  /// An entity stands in no other entity, and its members are its own.
  @Test(arguments: [" ", "   "])
  func `an indented entity is one error, without errors about its members`(
    indentation: String
  ) throws {
    for entity in ["Folder", "abstract Folder", "Folder : Note"] {
      let text =
        "Note\n  title  string?\n  folder  Folder? inverse notes\n"
        + "\(indentation)\(entity)\n  name  string?\n  notes  Note* inverse folder\n"
      #expect {
        _ = try ModelText.parse(text)
      } throws: { error in
        guard let error = error as? TextError, error.others.isEmpty else { return false }
        return error.line == 4
          && error.message.hasPrefix("line is indented by \(indentation.count) ")
      }
    }
  }

  @Test func `a context that stands too far in is one error, and still declared`() throws {
    for indentation in ["   ", "    "] {
      let text = scenario("  view  save").replacing(
        "\n  view  mainQueue",
        with: "\n  edit  privateQueue parent view\n\(indentation)view  mainQueue")
      #expect(
        try errors(text).map { $0.replacing(#/; .*/#, with: "") } == [
          "10: 'view' is declared below", "11: line is indented by \(indentation.count) spaces",
        ])
    }
  }

  @Test func `an error in a pool's lines is reported once`() throws {
    let text = scenario("  view  save").replacing(
      "\n\nsteps",
      with:
        "\n  w*3  privateQueue parent view\n  entry  done w*\n   w  save\n      view  save\n\nsteps"
    )
    let found = try errors(text)
    #expect(
      found.map { String($0.prefix { $0 != ";" }) } == [
        "13: line is indented by 3 spaces", "14: line is indented by 6 spaces",
      ])
  }

  @Test func `errors are equal if their lines and words are`() throws {
    let read = TextError(line: 3, message: "no store")
    #expect(read == TextError(line: 3, message: "no store"))
    #expect(read != TextError(line: 4, message: "no store"))
  }

  /// A line with an error still declares its name.
  @Test func `errors that a correct name in the stack would resolve are not reported`() throws {
    let text = scenario("  view  save\n  w1  save\n  group  save\n  view  enter do")
      .replacing("  store  main", with: "  stroe  main\n  group  do-ne")
      .replacing(
        "  view  mainQueue", with: "  w*2  privateQue coordinator store\n  view  mainQueue")
    #expect(try errors(text).map { $0.prefix(3) } == ["9: ", "10:", "11:", "17:"])
  }

  @Test func `an error about a claim inside a block says where the claim belongs`() throws {
    let steps = """
        view  perform
          save
          claim  clean  view
          save
          save
        view  perform
          perform
            claim  clean  view
            save
        view  save
      """
    let found = try errors(scenario(steps))
    #expect(
      found == [
        "16: step follows the claim in line 15, which ends the block of line 13; a claim "
          + "applies after the whole block, so write it below the block's last step",
        "20: claim inside of a block; a claim applies between two steps of the "
          + "outermost level, so write it below the block's last step, indented by 4 spaces",
      ])
    let transcript = "  view  perform\n    save\n    > x\n    save"
    #expect(
      try errors(scenario(transcript)).map { $0.prefix(34) } == [
        "16: step follows the transcript in"
      ])
  }

  @Test func `an error about a claim in a stack says where the claim belongs`() throws {
    let text = scenario("  view  save").replacing(
      "\n\nsteps", with: "\n  entry  e\n    view  save\n    claim  clean  view\n\nsteps")
    #expect(
      try errors(text) == [
        "13: claim in the stack; write it below a step of the outermost level, indented "
          + "by 4 spaces, or in the section 'claims'"
      ])
    let design =
      "  store  main\n  view  mainQueue coordinator store\n  entry  e\n    claim  clean  view"
    #expect {
      _ = try DesignText.parse(design)
    } throws: { error in
      (error as? TextError)?.message == "a stack cannot have claims; write them in a scenario"
    }
  }

  @Test func `errors of a stack's file are reported together`() throws {
    let text = """
      stack  a b
      origin  infered
      model

      store  main
       view  mainQueue coordinator store
        form  privateQue parent view
        observe  didSave form
          form  insert A as a
      """
    #expect {
      _ = try StackDesignText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
    } throws: { error in
      guard let error = error as? TextError else { return false }
      return ([error] + error.others).map(\.line) == [1, 2, 3, 5, 6, 7]
    }
  }
}
