/// Something that is publicly known about Core Data, in one sentence, with an ID that scenarios and
/// tests can name.
package struct Fact: Hashable, Sendable {
  /// How sure we can be. The first three are for facts from many sources, the others for what the
  /// authors of public test suites wrote down.
  package enum Grade: String, CaseIterable, Sendable {
    case certain, likely, contested, tested, noted, documented
  }

  /// Why nothing shows a fact.
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
  /// For a contested point: the facts in which its outcomes are recorded.
  package var about: [FactID] = []
  /// The line of the list.
  package var line: Int

  /// Whether we must show it or say why not: what is certain, and what a test asserts about the
  /// real framework. The rest may be wrong.
  package var mustBeShown: Bool { grade == .certain || id.kind == .assertion }
}

/// `SV-04`, an item of the list of facts; `SV-A4`, of the list of what public tests assert; `X-04`
/// and `C4`, their contested points.
package struct FactID: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable { case fact, assertion, pointOfFacts, pointOfAssertions }

  package let kind: Kind
  /// The letters in front; empty for contested points.
  let area: String
  let number: Int

  /// Nil unless `text` is spelled exactly as `description` spells it.
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

  /// The grades that an item of this kind can have.
  var grades: [Fact.Grade] {
    switch kind {
    case .fact: [.certain, .likely, .contested]
    case .assertion: [.tested, .noted, .documented]
    case .pointOfFacts, .pointOfAssertions: [.contested]
    }
  }

  /// Whether `self` stands between `first` and `last` of one numbered row, or is one of them.
  func isBetween(_ first: FactID, _ last: FactID) -> Bool {
    kind == first.kind && kind == last.kind && area == first.area && area == last.area
      && first.number <= number && number <= last.number
  }
}
