import Foundation
import Scenario
import TestSupport
import Testing
import Vocabulary

@Suite struct `Names of contexts` {
  @Test func `the page about stacks lists the names that no context can have`() throws {
    let text = try String(
      contentsOfFile: "\(Repository.root)/Fixtures/Stacks/README.md", encoding: .utf8)
    let start = try #require(text.range(of: "**Names.**"))
    let section = try #require(text[start.upperBound...].components(separatedBy: "\n\n").first)
    let listed = section.split(separator: "begin a declaration or a step:").last.map {
      $0.matches(of: /`(\w+)`/).map { String($0.1) }
    }
    #expect(listed == Step.Kind.reservedContextNames.sorted())
    #expect(
      Step.Kind.reservedContextNamesText
        == "no context can be called "
        + Step.Kind.reservedContextNames.sorted().joined(separator: ", "))
  }
}
