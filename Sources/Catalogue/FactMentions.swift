import Prose

/// The IDs that a text names, whether there are such facts or not.
///
/// An ID is a word of its own, of ASCII letters, digits and hyphens: `SV-04`, `SV-A4`, `X-04`.
/// `MP-08 to MP-11` names what lies between as well. What has a digit too few or too many, or
/// letters that no fact has, is taken for a misspelled ID. `C4` could be the name of anything, and
/// is an ID only on a line that names another one with a hyphen or says "contested". Of `against
/// MP-27` the contrary is shown.
struct FactMentions {
  struct Mention: Hashable {
    /// As it is written.
    var word: String
    /// Counted from 1.
    var line: Int
    /// The end of a range that begins with the mention before.
    var endsRange = false
    /// Whether it says `against` before it.
    var isContrary = false
  }

  /// A fact that is named.
  struct Named: Hashable {
    var id: FactID
    var line: Int
    var isContrary: Bool
  }

  private(set) var mentions: [Mention] = []

  init(in text: String) {
    var number = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      add(line, number)
    }
  }

  private mutating func add(_ line: Substring.UTF8View, _ number: Int) {
    var found: [Mention] = []
    var rest = line
    var gap = line.prefix(0)
    // Most lines have no digit, and so no ID.
    guard line.contains(where: isDigit) else { return }
    while let start = rest.firstIndex(where: isWordByte) {
      let end = rest[start...].firstIndex { !isWordByte($0) } ?? rest.endIndex
      let word = Substring(rest[start..<end])
      if looksLikeID(word) {
        let between = Substring(line[gap.endIndex..<start])
        found.append(
          Mention(
            word: String(word), line: number, endsRange: !found.isEmpty && between == " to ",
            isContrary: between.hasSuffix("against ")))
        gap = line[start..<end]
      }
      rest = rest[end...]
    }
    let vouches = { (mention: Mention) in mention.word.contains("-") }
    if found.contains(where: vouches) || Substring(line).lowercased().contains("contested") {
      mentions += found
    }
  }

  /// The IDs, each once, in the order of the text; of a range those that `list` has.
  func ids(in list: FactList) -> [Named] {
    var result: [Named] = []
    var start: FactID? = nil
    var isContrary = false
    for mention in mentions {
      guard let id = FactID(mention.word), list[id] != nil else { continue }
      let named =
        if mention.endsRange, let start {
          list.facts.map(\.id).filter { $0.isBetween(start, id) && $0 != start }
        } else {
          [id]
        }
      if !mention.endsRange { isContrary = mention.isContrary }
      for id in named where !result.contains(where: { $0.id == id }) {
        result.append(Named(id: id, line: mention.line, isContrary: isContrary))
      }
      start = id
    }
    return result
  }

  /// What is named and is not in `list`.
  func strangers(to list: FactList) -> [Mention] {
    mentions.filter { mention in FactID(mention.word).flatMap { list[$0] } == nil }
  }

  /// `SV-04`, `SV-A4`, `X-04`, `C4`, with one to three digits.
  private func looksLikeID(_ word: Substring) -> Bool {
    let digitCount = word.utf8.reversed().prefix(while: isDigit).count
    guard (1...3).contains(digitCount) else { return false }
    var front = word.utf8.dropLast(digitCount)
    if front.count == 1 { return front.first == UInt8(ascii: "C") && digitCount < 3 }
    if front.count == 4, front.last == UInt8(ascii: "A") { front = front.dropLast() }
    guard front.last == UInt8(ascii: "-") else { return false }
    let area = front.dropLast()
    return area.count == 2 && area.allSatisfy(isCapital)
      || area.elementsEqual([UInt8(ascii: "X")])
  }

  private func isWordByte(_ byte: UInt8) -> Bool {
    isCapital(byte) || isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private func isCapital(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension FactList {
  /// What to say of a mention that is none of its facts.
  func message(about stranger: FactMentions.Mention) -> String {
    "\(quoted(stranger.word)) is in no line of \(FactCoverage.listPath); "
      + suggestion(for: stranger.word, among: facts.map(\.id.description))
  }
}
