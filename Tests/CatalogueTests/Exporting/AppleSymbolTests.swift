import Calibration
import CampaignSupport
import Campaigns
import Catalogue
import Exporting
import InputFiles
import TestSupport
import Testing

/// The names in `Fixtures/AppleSymbols.txt`, with the systems that have them.
private struct AppleSymbols {
  /// The parts of a version number.
  typealias Version = [Int]

  /// The first versions of macOS and iOS that have each name.
  private(set) var versions: [String: (macOS: Version, iOS: Version)] = [:]

  init() throws {
    let text = try TextFile.read(path: "\(Repository.root)/Fixtures/AppleSymbols.txt")
    for line in text.split(separator: "\n") where line.hasPrefix("  ") {
      let match = try #require(
        line.wholeMatch(of: /[ ]{2}(\.?\w+)  macOS ([\d.]+)  iOS ([\d.]+)/), "\(line)")
      let name = String(match.1)
      #expect(versions[name] == nil, "\(name) is listed twice")
      versions[name] = (AppleSymbols.version(match.2), AppleSymbols.version(match.3))
    }
  }

  private static func version(_ text: Substring) -> Version {
    text.split(separator: ".").compactMap { Int($0) }
  }

  /// A subclass names the members that it inherits without a dot.
  func has(_ name: String) -> Bool { versions[name] != nil || versions[".\(name)"] != nil }
}

@Suite struct `Every file of a calibration package` {
  /// The plan is made once, because it runs each scenario many times.
  private static let plan = Result {
    var settings = CampaignSettings(models: try Repository.models())
    settings.steps = CalibrationPrograms.usualStepCount
    settings.stepFilter = CalibrationPrograms.usualSteps
    let programs = CalibrationPrograms(settings, runs: 60, seed: 1)
    return CalibrationPlan(
      try Repository.scenarios(), programs: programs.scenarios,
      facts: try FactList(path: "\(Repository.root)/\(FactCoverage.listPath)"))
  }

  @Test func `every file uses only Apple's public interface of macOS 13 and iOS 16`() throws {
    let symbols = try AppleSymbols()
    for (name, versions) in symbols.versions {
      #expect(!versions.macOS.lexicographicallyPrecedes([10]), "\(name)")
      #expect(versions.macOS.lexicographicallyPrecedes([13, 1]), "\(name)")
      #expect(versions.iOS.lexicographicallyPrecedes([16, 1]), "\(name)")
    }
    let plan = try Self.plan.get()
    for file in plan.files {
      let names = SourceSymbols(file.source)
      #expect(names.imports == ["CoreData", "XCTest"], "\(file.fileName)")
      // Code that differs by platform begins with '#'.
      #expect(names.directives.allSatisfy { $0 == "@escaping" }, "\(file.fileName)")
      for name in names.used {
        let isKnown = symbols.has(name) || names.declares(name)
        #expect(isKnown, "\(file.fileName) uses \(name), which is not in the list")
      }
    }
    #expect(plan.files.count > 500 && plan.programCount > 10)
  }

  @Test func `every file cites the facts of its scenario, and variants cite none`() throws {
    let tests = try Self.plan.get().list.tests
    let list = try FactList(path: "\(Repository.root)/\(FactCoverage.listPath)")
    for (path, scenario) in try Repository.scenarios() {
      let plain = tests.filter { $0.source == path && $0.option == nil }
      #expect(plain.allSatisfy { $0.facts == list.cited(by: scenario).map(\.description) })
    }
    #expect(tests.count { !$0.facts.isEmpty } > 300)
    let contrary = tests.filter { $0.source.hasSuffix("/merge-reaches-the-children.scenario") }
    #expect(contrary.compactMap(\.option?.isOn) == [true, false])
    #expect(contrary.allSatisfy { $0.facts.isEmpty })
    #expect(tests.allSatisfy { $0.option == nil || $0.facts.isEmpty })
  }
}

@Suite struct `The names that a source uses` {
  @Test func `names are found in code and in interpolations, and not in literals`() {
    let symbols = SourceSymbols(
      """
      import CoreData
      // NSComment
      final class ATests: XCTestCase {
        private let text = "NSText \\(Date().count ? "inner" : NSInner.name) \\"NSQuoted"
        override func prepare(of value: Int) {
          list.forEach { found, other in found.save(with: other, text) }
        }
      }
      #if os(macOS)
      """)
    #expect(symbols.imports == ["CoreData"])
    #expect(symbols.directives == ["#if"])
    #expect(
      symbols.used == [
        "XCTestCase", "Date", ".count", "NSInner", ".name", ".prepare", "of", "Int", "list",
        ".forEach", "found", "other", "found", ".save", "other", "text", "os", "macOS",
      ])
    let declared = ["ATests", "text", "found", "other", "value", "of", "with"]
    #expect(declared.allSatisfy(symbols.declares))
    #expect(!["XCTestCase", ".prepare", "NSInner"].contains(where: symbols.declares))
  }
}
