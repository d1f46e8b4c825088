import Foundation

/// The tests of a calibration package, stored as `tests.json` when the package is written.
package struct TestList: Hashable, Codable, Sendable {
  /// A test case, whose class contains a single test.
  package struct Test: Hashable, Codable, Sendable {
    /// The name of the class, which is the only class in its file, such as `LastChildWinsTests`.
    package var name: String
    /// The path of the exported scenario, or the seed of the program.
    package var source: String
    /// The IDs of facts that the scenario cites. Empty for variants and programs.
    package var facts: [String]
    /// The option value that a variant shows, or `nil` for other tests.
    package var option: Option?

    package init(name: String, source: String, facts: [String] = [], option: Option? = nil) {
      (self.name, self.source, self.facts, self.option) = (name, source, facts, option)
    }
  }

  /// A value of an option of the simulation, which is a quirk.
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

  /// Reads `tests.json`. Throws an error of Foundation if the file is missing or damaged.
  package init(path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    self = try JSONDecoder().decode(TestList.self, from: data)
  }

  /// The text of `tests.json`.
  package var text: String { json(self) }
}

/// Returns readable JSON that is the same for equal values.
func json(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else {
    preconditionFailure("a value that is no JSON")
  }
  return String(decoding: data, as: UTF8.self) + "\n"
}
