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

  @Test func `are reported together, without those that follow from others`() throws {
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

  @Test func `of a stack are reported together`() throws {
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

  @Test func `are counted where there are many`() throws {
    let steps = (1...30).map { _ in "  veiw  save" }.joined(separator: "\n")
    let found = try errors(scenario(steps))
    #expect(found.count == 21)
    #expect(found.last == "33: 10 more errors are not shown, from here on")
  }

  @Test func `in an empty block are none of it`() throws {
    #expect(try errors(scenario("  view  perform")) == [])
    #expect(try errors(scenario("  view  perform\n    sav")).map { $0.prefix(3) } == ["14:"])
  }

  @Test func `between steps name where a claim belongs`() throws {
    let found = try errors(scenario("  claim  clean view\n  view  save\n      claim  clean view"))
    #expect(found.count == 2 && found.allSatisfy { $0.contains("claim stands out of place") })
  }
}
