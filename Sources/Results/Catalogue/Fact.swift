/// A publicly known fact about Core Data, as one sentence with an ID that scenarios and tests can
/// cite.
package struct Fact: Hashable, Sendable {
  /// The reliability of a fact.
  ///
  /// The first three grades are for facts from many sources. The others are for statements by the
  /// authors of public test suites.
  package enum Grade: String, CaseIterable, Sendable {
    case certain, likely, contested, tested, noted, documented
  }

  /// The reason why no scenario or test shows a fact.
  package struct Excuse: Hashable, Sendable {
    package enum Reason: String, CaseIterable, Sendable {
      case sqliteFile, kvo, migration, cloudKit, oldDefect
    }

    package var reason: Reason
    package var words: String
  }

  package var id: FactID
  package var grade: Grade
  package var sentence: String
  package var excuse: Excuse? = nil
  /// For a contested point, the facts that record its outcomes.
  package var about: [FactID] = []
  /// The line of the fact in the list.
  package var line: Int

  /// A Boolean value that indicates whether a scenario or test must show the fact, unless the fact
  /// is excused.
  ///
  /// The value is true for facts of the grade `certain` and for statements from public test suites.
  /// Other facts are too uncertain.
  package var mustBeShown: Bool { grade == .certain || id.kind == .assertion }
}

/// The ID of a fact. `SV-04` is in the list of facts, `SV-A4` in the list of assertions of public
/// tests. `X-04` and `C4` are their contested points.
package struct FactID: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable { case fact, assertion, pointOfFacts, pointOfAssertions }

  package let kind: Kind
  /// The leading letters. Empty for contested points.
  let area: String
  let number: Int

  /// Parses an ID. Returns `nil` unless `text` is spelled exactly like the resulting `description`.
  package init?(_ text: some StringProtocol) {
    let digits = text.utf8.reversed().prefix {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    guard (1...2).contains(digits.count), let number = Int(text.suffix(digits.count)) else {
      return nil
    }
    let front = String(text.dropLast(digits.count))
    self.number = number
    let letters = front.utf8.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    area = letters.count == 2 ? front.prefix(2).description : ""
    switch front.dropFirst(area.count) {
    case "-" where area != "": kind = .fact
    case "-A" where area != "": kind = .assertion
    case "X-": kind = .pointOfFacts
    case "C": kind = .pointOfAssertions
    default: return nil
    }
    if description != text { return nil }
  }

  package var description: String {
    let twoDigits = number < 10 ? "0\(number)" : "\(number)"
    return switch kind {
    case .fact: "\(area)-\(twoDigits)"
    case .assertion: "\(area)-A\(number)"
    case .pointOfFacts: "X-\(twoDigits)"
    case .pointOfAssertions: "C\(number)"
    }
  }

  package var isPoint: Bool { kind == .pointOfFacts || kind == .pointOfAssertions }

  /// The grades that a fact of this kind can have.
  var grades: [Fact.Grade] {
    switch kind {
    case .fact: [.certain, .likely, .contested]
    case .assertion: [.tested, .noted, .documented]
    case .pointOfFacts, .pointOfAssertions: [.contested]
    }
  }

  /// Returns a Boolean value that indicates whether the ID is in the closed range from `first` to
  /// `last` of one numbered series.
  func isBetween(_ first: FactID, _ last: FactID) -> Bool {
    kind == first.kind && kind == last.kind && area == first.area && area == last.area
      && first.number <= number && number <= last.number
  }
}
