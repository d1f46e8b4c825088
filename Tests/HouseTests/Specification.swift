import Foundation

/// `Sources/SEMANTICS.md`, read as a list of operations with numbered steps.
struct Specification: Sendable {
  /// A section with an anchor. It is an operation if it has numbered steps.
  struct Section {
    let anchor: String
    let line: Int
    /// The paths of the steps, such as "3" and "3.2", in order.
    var steps: [String] = []
  }

  /// A sentence of the text, without links and fact IDs.
  struct Sentence {
    let line: Int
    let words: [Substring]
  }

  private(set) var sections: [Section] = []
  private(set) var sentences: [Sentence] = []
  /// The targets of links within the page, each with its line.
  private(set) var links: [(target: String, line: Int)] = []
  /// The anchors of headings without explicit anchors.
  private(set) var headings: Set<String> = []
  /// Steps whose number does not follow the one before.
  private(set) var misnumbered: [Int] = []

  var operations: [Section] { sections.filter { !$0.steps.isEmpty } }

  init(_ lines: [Substring]) {
    // The numbers of the steps around the next line, the outermost first.
    var numbers: [Int] = []
    for (index, line) in lines.enumerated() {
      let number = index + 1
      for match in line.matches(of: /\]\(#([^)]+)\)/) { links.append((String(match.1), number)) }
      if let match = line.wholeMatch(of: /<a id="([^"]+)"><\/a>/) {
        sections.append(Section(anchor: String(match.1), line: number))
        numbers = []
      } else if let match = line.firstMatch(of: /^#+ (.*)$/) {
        headings.insert(Self.slug(match.1))
      } else if let match = line.firstMatch(of: /^( *)([0-9]+)\.\s/), !sections.isEmpty {
        let depth = match.1.count / 3
        let position = Int(match.2) ?? 0
        numbers = Array(numbers.prefix(depth + 1))
        if numbers.count <= depth { numbers.append(0) }
        if numbers.count != depth + 1 || position != numbers[depth] + 1 {
          misnumbered.append(number)
        }
        numbers[numbers.count - 1] = position
        sections[sections.count - 1].steps.append(numbers.map(String.init).joined(separator: "."))
      }
      noteSentences(of: line, number)
    }
  }

  private mutating func noteSentences(of line: Substring, _ number: Int) {
    if line.hasPrefix("#") || line.hasPrefix("<a") { return }
    let text = line.replacing(/\[[A-Z]+-?[A-Z]?[0-9][^\]]*\](?!\()/, with: "")
      .replacing(/\]\(#[^)]*\)/, with: "")
      .replacing(/^ *(?:[0-9]+\.|-)\s/, with: "")
    // A full stop, colon or question mark before a space ends a sentence.
    var words: [Substring] = []
    for word in text.split(separator: " ") {
      words.append(word)
      if word.last.map({ ".:?!".contains($0) }) == true {
        sentences.append(Sentence(line: number, words: words))
        words = []
      }
    }
    if !words.isEmpty { sentences.append(Sentence(line: number, words: words)) }
  }

  private static func slug(_ heading: Substring) -> String {
    heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
      .replacing(" ", with: "-")
  }
}
