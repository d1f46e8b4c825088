package import Vocabulary

/// Comparisons of text in predicates.
package enum PredicateText {
  /// Decides whether a relation holds for folded texts. §compare-values.6
  static func holds(_ relation: PredicateTree.Relation, of text: String, _ part: String) -> Bool {
    switch relation {
    case .beginsWith: text.hasPrefix(part)
    case .endsWith: text.hasSuffix(part)
    case .contains: part.isEmpty || contains(Array(text), Array(part))
    case .like: isLike(Array(text)[...], Array(part)[...])
    default: false
    }
  }

  /// Returns a Boolean value that indicates whether a regular expression matches the whole text. An
  /// invalid expression matches nothing.
  static func matches(
    _ text: String?, _ pattern: String, _ options: PredicateTree.Options
  ) -> Bool {
    guard let text else { return false }
    // Remove diacritics from both the text and the pattern. The expression itself ignores case.
    let marks = options.intersection(.diacriticInsensitive)
    guard let expression = try? Regex(folded(pattern, marks)) else { return false }
    let cased = expression.ignoresCase(options.contains(.caseInsensitive))
    return (try? cased.wholeMatch(in: folded(text, marks))) != nil
  }

  private static func contains(_ text: [Character], _ part: [Character]) -> Bool {
    guard text.count >= part.count else { return false }
    return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
  }

  private static func isLike(
    _ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" {
      return (text.startIndex...text.endIndex).contains { isLike(text[$0...], rest) }
    }
    guard let character = text.first, first == "?" || first == character else { return false }
    return isLike(text.dropFirst(), rest)
  }

  /// Folds text as the options `[c]` and `[d]` do. §compare-texts
  ///
  /// `[d]` replaces a character that Unicode decomposes into a Latin letter and marks by the
  /// letter. A stroke is not a mark.
  package static func folded(_ text: String, _ options: PredicateTree.Options) -> String {
    var text = options.contains(.caseInsensitive) ? caseFolded(text) : text
    if options.contains(.diacriticInsensitive) {
      var scalars = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        if scalar.properties.generalCategory == .nonspacingMark { continue }
        scalars.append(base(of: scalar))
      }
      text = String(scalars)
    }
    return text
  }

  /// Folds case. Letters that differ only in case have the same uppercase letter, and the lowercase
  /// form of that letter represents them all. Uppercase letters that are second forms, such as
  /// capital sharp s, are lowercased first. A dotless i stays distinct from i.
  private static func caseFolded(_ text: String) -> String {
    if text.allSatisfy(\.isASCII) { return text.lowercased() }
    return text.split(separator: "\u{131}", omittingEmptySubsequences: false)
      .map { $0.lowercased().uppercased().lowercased() }.joined(separator: "\u{131}")
  }

  /// Words in Unicode names that describe parts of a letter, as opposed to marks.
  private static let partsOfLetters: [Substring] = [
    "STROKE", "BAR", "TOPBAR", "LEG", "TAIL", "CURL", "LOOP", "MIDDLE", "NOTCH", "RIGHT",
    "LEFT", "PALATAL", "RETROFLEX", "LETTER",
  ]

  /// Returns the letter without its mark, such as e for "LATIN SMALL LETTER E WITH ACUTE".
  private static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard !scalar.isASCII, let name = scalar.properties.name else { return scalar }
    switch scalar {
    case "\u{1E2}", "\u{1FC}": return "\u{C6}"
    case "\u{1E3}", "\u{1FD}": return "\u{E6}"
    case "\u{1FE}": return "\u{D8}"
    case "\u{1FF}": return "\u{F8}"
    case "\u{1EE}": return "\u{1B7}"
    case "\u{1EF}": return "\u{292}"
    case "\u{1E9B}": return "\u{17F}"
    default: break
    }
    let words = name.split(separator: " ")
    guard words.count > 4, words[0] == "LATIN", words[2] == "LETTER", words[4] == "WITH",
      words[3].count == 1, let letter = words[3].unicodeScalars.first,
      !words[5...].contains(where: partsOfLetters.contains),
      words[5] != "HOOK" || words.dropFirst(6).first == "ABOVE"
    else { return scalar }
    return words[1] == "SMALL"
      ? Unicode.Scalar(UInt8(ascii: letter) | 0x20) : letter
  }
}
