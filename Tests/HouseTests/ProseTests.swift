import Foundation
import Testing

/// Comments are plain English: each names its subject, and its sentences are short.
@Suite struct `The English of comments` {
  /// A wording that comments avoid, and the wording that replaces it.
  private struct Rule {
    let pattern: String
    let advice: String
  }

  /// Wordings at the beginning of a paragraph.
  private static let beginnings = [
    Rule(
      pattern: "What|Whatever|Which|Whether|How many|How much|Who|Whose|Whom",
      advice: "begin with the noun that the clause stands for"),
    Rule(
      pattern: "Those|That|Of|In the order|Others|Likewise|Nil for", advice: "name the subject"),
  ]

  /// Wordings anywhere in a comment.
  private static let wordings = [
    Rule(pattern: "likewise", advice: "say it again"),
    Rule(pattern: "(?:is|are|was|were) told", advice: "'is called with', 'is reported'"),
    Rule(
      pattern: "what (?:it|they|is|are|was|were|has|have|can|must|no|others|people|code|observers)",
      advice: "a noun"),
    Rule(
      pattern: "of (?:the app's|the user's|ours|theirs)(?=[.,;:)]|$)",
      advice: "'app-defined', 'our'"),
    Rule(pattern: "got hold of|lets? go of|as good as|has to do with", advice: "a plain verb"),
    Rule(
      pattern: "nobody|somebody|anybody|everybody|whoever|he|his|him",
      advice: "name the component that acts"),
    Rule(pattern: "made[- ]up|ma(?:de|ke) small", advice: "'generated', 'shrunk'"),
  ]

  private static let longestSentence = 30

  @Test func `begins each comment with its subject`() throws {
    try expectNone(of: Self.beginnings) { "^(?:\($0))\\b" }
  }

  @Test func `has no riddles`() throws {
    try expectNone(of: Self.wordings, .caseInsensitive) { "\\b(?:\($0))\\b" }
  }

  @Test func `has sentences of at most 30 words`() throws {
    for paragraph in try Self.paragraphs.get() {
      for sentence in paragraph.sentences {
        // The last word of a sentence ends it, and is not counted by `sentences`.
        let count = sentence.count + 1
        #expect(
          count <= Self.longestSentence,
          "\(paragraph.place): \(count) words from '\(sentence.prefix(8).joined(separator: " "))'")
      }
    }
  }

  private func expectNone(
    of rules: [Rule], _ options: NSRegularExpression.Options = [], as whole: (String) -> String
  ) throws {
    let paragraphs = try Self.paragraphs.get()
    for rule in rules {
      let expression = try NSRegularExpression(pattern: whole(rule.pattern), options: options)
      for paragraph in paragraphs {
        let range = NSRange(paragraph.text.startIndex..., in: paragraph.text)
        guard let match = expression.firstMatch(in: paragraph.text, range: range) else { continue }
        let found = Range(match.range, in: paragraph.text).map { paragraph.text[$0] } ?? ""
        Issue.record("\(paragraph.place) says '\(found)': \(rule.advice)")
      }
    }
  }

  /// The paragraphs of all comments, without code.
  private static let paragraphs = Result {
    let files = try SourceFile.all(below: "Sources") + SourceFile.all(below: "Tests")
    return files.flatMap(CommentParagraph.all(in:))
  }
}

/// A paragraph of a comment, on one line.
private struct CommentParagraph {
  let place: String
  let text: String

  /// The sentences of the paragraph, each as its words. An item of a list is a paragraph.
  var sentences: [ArraySlice<Substring>] {
    let words = text.split(separator: " ")
    return words.split { $0.last.map { ".!?:;".contains($0) } ?? false }
  }

  static func all(in file: SourceFile) -> [CommentParagraph] {
    var found: [CommentParagraph] = []
    var words: [Substring] = []
    var start = 0
    var isCode = false
    func end() {
      let text = words.joined(separator: " ")
      if !text.isEmpty, !text.hasPrefix("MARK:") {
        found.append(CommentParagraph(place: "\(file.path):\(start)", text: text))
      }
      words = []
    }
    let isInText = file.isInText
    for (index, line) in file.lines.enumerated() {
      guard SourceFile.isComment(line), !isInText[index] else {
        end()
        isCode = false
        continue
      }
      let text = line.drop { " /".contains($0) }
      let indent = line.drop { $0 == " " }.drop { $0 == "/" }.prefix { $0 == " " }.count
      if text.hasPrefix("```") { isCode.toggle() }
      let isItem = text.hasPrefix("- ") || text.first?.isNumber == true && text.contains(". ")
      if text.isEmpty || isCode || text.hasPrefix("```") || indent > 4 && words.isEmpty || isItem {
        end()
        if !isItem { continue }
      }
      if words.isEmpty { start = index + 1 }
      words += text.split(separator: " ")
    }
    end()
    return found
  }
}
