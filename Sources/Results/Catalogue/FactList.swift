package import InputFiles
import Prose
import Scenario

/// The facts, in the sections and the order of their file, `Fixtures/Facts.txt`. The first lines of
/// that file describe its format.
package struct FactList: Sendable {
  package struct Section: Hashable, Sendable {
    package var title: String
    package var facts: [Fact] = []
    var line: Int
  }

  package private(set) var sections: [Section] = []

  package var facts: [Fact] { sections.flatMap(\.facts) }

  package subscript(id: FactID) -> Fact? {
    for section in sections {
      if let fact = section.facts.first(where: { $0.id == id }) { return fact }
    }
    return nil
  }

  /// The maximum length of a sentence, so that it fits on one line.
  static let sentenceLimit = 140

  package init(path: String) throws(InputError) {
    try self.init(parsing: try TextFile.read(path: path), file: path)
  }

  package init(parsing text: String, file: String) throws(InputError) {
    var reader = FactListReader(file: file)
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      try reader.read(Substring(line))
    }
    sections = try reader.finish()
  }
}

/// Reads a list line by line.
private struct FactListReader {
  let file: String
  private var number = 0
  private var sections: [FactList.Section] = []
  /// The line in which each ID first occurs.
  private var lines: [FactID: Int] = [:]

  init(file: String) { self.file = file }

  private func error(_ message: String, line: Int? = nil) -> InputError {
    InputError(file: file, line: line ?? number, message: message)
  }

  mutating func read(_ line: Substring) throws(InputError) {
    number += 1
    guard printable(String(line)) == line else {
      throw error("a tab, a carriage return or another control character; write spaces")
    }
    let indentation = line.prefix { $0 == " " }.count
    let content = line.dropFirst(indentation)
    if content.isEmpty || content.hasPrefix("#") { return }
    if content.hasSuffix(" ") { throw error("a space at the end; remove it") }
    switch indentation {
    case 0: try readSection(content)
    case 2: try readFact(content)
    case 4: try readRemark(content)
    default:
      throw error(
        "indented by \(indentation); do not indent a section, indent a fact by 2 and its other lines by 4"
      )
    }
  }

  private mutating func readSection(_ content: Substring) throws(InputError) {
    let (word, title) = split(content)
    guard word == "section" else {
      throw error(
        "\(quoted(word)) does not begin a section; write 'section  TITLE', and indent facts by 2")
    }
    guard let title else { throw error("a section without a title; write 'section  TITLE'") }
    if let twin = sections.first(where: { $0.title == title }) {
      throw error("section \(quoted(title)) is given twice, first on line \(twin.line); keep one")
    }
    try checkLastSection()
    sections.append(FactList.Section(title: title, line: number))
  }

  private mutating func readFact(_ content: Substring) throws(InputError) {
    guard !sections.isEmpty else {
      throw error("a fact without a section; write 'section  TITLE' above it")
    }
    let (word, rest) = split(content)
    let (gradeWord, sentence) = rest.map { split($0[...]) } ?? ("", nil)
    guard let id = FactID(word) else {
      throw error("\(quoted(word)) is not an ID; write one such as SV-04, SV-A4, X-04 or C4")
    }
    guard let sentence, !gradeWord.isEmpty else {
      throw error("\(id) is not complete; write 'ID  GRADE  SENTENCE', with two spaces between")
    }
    if let first = lines[id] {
      throw error("\(id) is given twice, first on line \(first); keep one")
    }
    guard let grade = id.grades.first(where: { $0.rawValue == gradeWord }) else {
      throw error(
        "\(id) cannot be \(quoted(gradeWord)); it is \(alternatives(id.grades.map(\.rawValue)))")
    }
    guard sentence.count <= FactList.sentenceLimit else {
      throw error(
        "the sentence of \(id) has \(sentence.count) characters; "
          + "at most \(FactList.sentenceLimit) fit a line")
    }
    lines[id] = number
    sections[sections.count - 1].facts.append(
      Fact(id: id, grade: grade, sentence: sentence, line: number))
  }

  /// Reads a remark on a fact: `excused  REASON  WORDS` or `about  ID…`.
  private mutating func readRemark(_ content: Substring) throws(InputError) {
    guard var fact = sections.last?.facts.last else {
      throw error("does not belong to a fact; write it below a fact")
    }
    let (word, rest) = split(content)
    switch word {
    case "excused":
      if fact.excuse != nil { throw error("\(fact.id) is excused twice; once is enough") }
      fact.excuse = try excuse(rest, for: fact.id)
    case "about":
      guard fact.id.isPoint else {
        throw error("\(fact.id) is not a contested point; 'about' is for X-04 or C4")
      }
      if !fact.about.isEmpty { throw error("\(fact.id) says 'about' twice; once is enough") }
      fact.about = try factIDs(rest)
    default:
      throw error("\(quoted(word)) is not a property of a fact; write 'excused' or 'about'")
    }
    sections[sections.count - 1].facts[sections[sections.count - 1].facts.count - 1] = fact
  }

  private func excuse(_ rest: String?, for id: FactID) throws(InputError) -> Fact.Excuse {
    let names = Fact.Excuse.Reason.allCases.map(\.rawValue)
    let (word, words) = rest.map { split($0[...]) } ?? ("", nil)
    guard let reason = Fact.Excuse.Reason(rawValue: word) else {
      throw error("\(id) is excused by \(quoted(word)); the reason is \(alternatives(names))")
    }
    guard let words else {
      throw error("\(id) is excused without an explanation; write 'excused  \(word)  WORDS'")
    }
    return Fact.Excuse(reason: reason, words: words)
  }

  private func factIDs(_ rest: String?) throws(InputError) -> [FactID] {
    var ids: [FactID] = []
    for word in (rest ?? "").split(separator: " ") {
      guard let id = FactID(word), !id.isPoint else {
        throw error(
          "\(quoted(String(word))) is not the ID of a fact; write one such as SV-04 or SV-A4")
      }
      ids.append(id)
    }
    if ids.isEmpty { throw error("'about' without an ID; write 'about  ID ID…'") }
    return ids
  }

  private func checkLastSection() throws(InputError) {
    guard let last = sections.last, last.facts.isEmpty else { return }
    throw error(
      "section \(quoted(last.title)) has no facts; write them below it or drop it", line: last.line)
  }

  func finish() throws(InputError) -> [FactList.Section] {
    guard !sections.isEmpty else {
      throw InputError(file: file, message: "no facts; begin with 'section  TITLE'")
    }
    try checkLastSection()
    for point in sections.flatMap(\.facts) {
      for id in point.about where lines[id] == nil {
        throw error("\(point.id) is about \(id), which is not in the list", line: point.line + 1)
      }
    }
    return sections
  }

  /// Splits a line at the first two spaces.
  private func split(_ content: Substring) -> (String, String?) {
    guard let gap = content.firstRange(of: "  ") else { return (String(content), nil) }
    let rest = content[gap.upperBound...].drop { $0 == " " }
    return (String(content[..<gap.lowerBound]), rest.isEmpty ? nil : String(rest))
  }

  /// Returns alternatives as a list, such as `a, b or c`.
  private func alternatives(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
