import Foundation
import Prose
import Scenario
import Vocabulary

/// The prose of a scenario, for readers who know Core Data but not Faultline. Quirks are written as
/// sentences, and IDs of facts are removed.
struct ExportedProse {
  /// The lines of the file's comment, without slashes.
  let lines: [String]

  init(_ scenario: Scenario) {
    // Remarks on how a campaign found the scenario mean nothing outside that campaign.
    var prose = Array(scenario.prose.prefix { !Scenario.isRemarksHeading($0) })
    if let source = scenario.source, source.hasPrefix("seed ") {
      prose += ["", "Found by a campaign in the run with \(source)."]
    }
    var result: [String] = []
    for (number, paragraph) in prose.split(separator: "").enumerated() {
      if number > 0 { result.append("") }
      result += ExportedProse.lines(of: Array(paragraph))
    }
    lines = result
  }

  /// Returns a wrapped paragraph. Indented lines are list items and stay separate.
  private static func lines(of paragraph: [String]) -> [String] {
    var result: [String] = []
    var text: [String] = []
    func flush() {
      if text.isEmpty { return }
      result += wrapped(plain(text.joined(separator: " ")), indentation: 0, width: 96)
      text = []
    }
    for line in paragraph {
      if line.hasPrefix("  ") {
        flush()
        result += wrapped(plain(line), after: "- ", indentation: 2, width: 96)
      } else {
        text.append(line)
      }
    }
    flush()
    return result
  }

  static func plain(_ text: String) -> String {
    var result = text.replacing(/\ ?\([A-Z]{1,2}-?A?\d+(,\ [A-Z]{1,2}-?A?\d+)*\)/, with: "")
    for quirk in Quirk.allCases {
      result = result.replacingOccurrences(of: "quirk \(quirk.name)", with: quirk.sentence)
    }
    return result
  }
}
