import Prose

/// The IDs of facts that a text mentions, whether or not such facts exist.
///
/// An ID is a separate word of ASCII letters, digits and hyphens: `SV-04`, `SV-A4`, `X-04`. A range
/// such as `MP-08 to MP-11` also mentions the facts in between. `against MP-27` mentions the
/// contrary of a fact.
///
/// A word with the wrong number of digits, or with letters that no fact has, counts as a misspelt
/// ID. A word such as `C4` is ambiguous. It counts as an ID only on a line that contains an ID with
/// a hyphen or the word "contested".
struct FactMentions {
  struct Mention: Hashable {
    /// The word as it is written.
    var word: String
    /// The line number, counted from 1.
    var line: Int
    /// A Boolean value that indicates whether this is the end of a range that begins with the
    /// previous mention.
    var endsRange = false
    /// A Boolean value that indicates whether `against` precedes the ID.
    var isContrary = false
  }

  /// A fact that the text mentions.
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
    // Most lines contain no digit, and thus no ID.
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

  /// Returns the mentioned facts of `list`, each once, in the order of the text. A range includes
  /// the facts of `list` within it.
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

  /// Returns the mentions that are not IDs of facts in `list`.
  func strangers(to list: FactList) -> [Mention] {
    mentions.filter { mention in FactID(mention.word).flatMap { list[$0] } == nil }
  }

  /// Returns a Boolean value that indicates whether a word has the form of `SV-04`, `SV-A4`, `X-04`
  /// or `C4`, with one to three digits.
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
  /// Returns an error message for a mention that is not the ID of a fact.
  func message(about stranger: FactMentions.Mention) -> String {
    "\(quoted(stranger.word)) is not in \(FactCoverage.listPath); "
      + suggestion(for: stranger.word, among: facts.map(\.id.description))
  }
}
