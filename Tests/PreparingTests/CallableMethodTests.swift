import Testing

/// Methods that expressions of mapping models call.
@Suite struct `A method of a policy` {
  private func cases(_ body: String, _ rest: String = "") throws -> String {
    let source = try PreparedSource("class P: NSEntityMigrationPolicy { \(body) }\(rest)")
    #expect(source.errors.isEmpty)
    return source.body
  }

  @Test(arguments: [
    ("text(_ value: String)", "text:"), ("text(page: Int)", "textWithPage:"),
    ("text(forPage page: Int)", "textForPage:"), ("text(since day: Date)", "textSince:"),
    ("text(matching name: String)", "textMatching:"), ("textBy(name: String)", "textByName:"),
    ("by(name: String)", "byName:"), ("text(formed by: String)", "textWithFormed:"),
    ("text(withinPage page: Int, of book: Int)", "textWithinPage:of:"),
    ("text(page: Int) throws", "textWithPage:error:"), ("text() throws", "textAndReturnError:"),
  ])
  func `a method has the selector that Swift gives it`(method: String, selector: String) throws {
    #expect(try cases("@objc func \(method) -> String { name }").contains("case \"\(selector)\":"))
  }

  @Test func `a method may throw, which gives no value`() throws {
    let text = try cases(
      "@objc(titled:error:) func title(_ value: String) throws -> String { value }")
    #expect(
      text.contains(
        "case \"titled:error:\": return .some(try? self.title(simulatedArgument(arguments, 0)));"))
  }

  @Test func `a method may be in an extension that the class sees`() throws {
    let text = try cases(
      "func f() {}",
      """
      extension P {
        @objc func title(_ value: String) -> String { value }
        @objc private func hidden(_ value: String) -> String { value }
        private @objc func hiddenBefore(_ value: String) -> String { value }
        public @objc func shown(_ value: String) -> String { value }
        static @objc func shared(_ value: String) -> String { value }
        @objc func later(_ value: String) async -> String { value }
      }
      private extension P { @objc func alsoHidden(_ value: String) -> String { value } }
      """)
    #expect(text.contains("case \"title:\": return .some(self.title("))
    #expect(text.contains("case \"shown:\": return .some(self.shown("))
    #expect(!text.contains("idden:\":") && !text.contains("later:"))
    #expect(!text.contains("hiddenBefore:") && !text.contains("shared:"))
  }
}
