import Foundation

/// What a calibration package tests: `tests.json`, which is written with the package.
package struct TestList: Hashable, Codable, Sendable {
  /// A test case, whose class has one test.
  package struct Test: Hashable, Codable, Sendable {
    /// The class, which is the only one of its file: `LastChildWinsTests`.
    package var name: String
    /// The scenario that it exports, or the seed of the program.
    package var source: String
    /// The facts that the scenario cites; empty for variants and programs.
    package var facts: [String]
    /// The option of which it shows one value; nil unless it is a variant.
    package var option: Option?

    package init(name: String, source: String, facts: [String] = [], option: Option? = nil) {
      (self.name, self.source, self.facts, self.option) = (name, source, facts, option)
    }
  }

  /// One value of an option of the simulation, a quirk.
  package struct Option: Hashable, Codable, Sendable {
    package var name: String
    package var isOn: Bool

    package init(name: String, isOn: Bool) { (self.name, self.isOn) = (name, isOn) }
  }

  /// The version of Faultline that wrote the package.
  package var faultline: String
  /// The IDs of all facts, in the order of their list.
  package var facts: [String]
  package var tests: [Test]

  package init(faultline: String, facts: [String], tests: [Test]) {
    (self.faultline, self.facts, self.tests) = (faultline, facts, tests)
  }

  /// Reads `tests.json`; throws an error of Foundation's if there is none or it is damaged.
  package init(path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    self = try JSONDecoder().decode(TestList.self, from: data)
  }

  /// The text of `tests.json`.
  package var text: String { json(self) }
}

/// Readable, and the same each time.
func json(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else {
    preconditionFailure("a value that is no JSON")
  }
  return String(decoding: data, as: UTF8.self) + "\n"
}
