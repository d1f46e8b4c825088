import Foundation
import Testing

/// The commands of the tool in `Sources/CONTRIBUTING.md` are run.
@Suite struct `The page for contributors as a transcript` {
  /// A command of the page, with the lines that the page shows below it.
  struct Call: Sendable, CustomTestStringConvertible {
    let command: String
    var shown: [String] = []

    var testDescription: String { command }
  }

  private static let prefix = "$ .build/release/faultline "

  static let calls: [Call] = {
    let url = Faultline.root.appendingPathComponent("Sources/CONTRIBUTING.md")
    var calls: [Call] = []
    var isInside = false
    for line in ((try? String(contentsOf: url, encoding: .utf8)) ?? "").components(
      separatedBy: "\n")
    {
      if line.hasPrefix("```") {
        isInside = false
      } else if line.hasPrefix(prefix) {
        calls.append(Call(command: String(line.dropFirst(prefix.count))))
        isInside = true
      } else if isInside {
        calls[calls.count - 1].shown.append(line)
      }
    }
    return calls
  }()

  @Test func `the page for contributors has three commands, two with their output`() {
    #expect(Self.calls.count == 3 && Self.calls.count { !$0.shown.isEmpty } == 2)
  }

  /// The page may leave lines out.
  @Test(arguments: calls)
  func `a command prints the lines that the page for contributors shows`(call: Call) throws {
    let words = call.command.components(separatedBy: " ")
    let result = try Faultline.run(words)
    let printed = result.output.components(separatedBy: "\n")
    for line in call.shown { #expect(printed.contains(line), "\(call.command): \(line)") }
    #expect(result.code == (call.shown.last == "0 passed, 1 failed" ? 1 : 0), "\(result.error)")
  }
}
