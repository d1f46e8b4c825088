import Determinism
package import Vocabulary

/// A text that the string operators of predicates compare character by character. §compare-texts.3
package struct ComparedText {
  private let characters: [Character]

  init(_ text: String) { characters = Array(text) }

  /// Decides whether a string operator holds. §compare-values.6
  func fits(_ relation: PredicateTree.Relation, _ part: ComparedText) -> Bool {
    let places = characters.count - part.characters.count
    switch relation {
    case .beginsWith: return places >= 0 && has(part, at: 0)
    case .endsWith: return places >= 0 && has(part, at: places)
    case .contains: return places >= 0 && (0...places).contains { has(part, at: $0) }
    case .like: return isLike(part)
    default: return false
    }
  }

  /// Returns true if a regular expression matches all of a text. §predicate-tree.5
  static func `is`(
    _ text: String, all pattern: String, _ options: PredicateTree.Options
  ) -> Bool {
    let marks = options.intersection(.diacriticInsensitive)
    guard let expression = try? Regex(folded(pattern, marks)) else { return false }
    let ignoresCase = options.contains(.caseInsensitive)
    return folded(text, marks).wholeMatch(of: expression.ignoresCase(ignoresCase)) != nil
  }

  private func has(_ part: ComparedText, at start: Int) -> Bool {
    part.characters.indices.allSatisfy { characters[start + $0] == part.characters[$0] }
  }

  /// Matches a `LIKE` pattern, in which `*` stands for any text and `?` for any character. `ends`
  /// contains the places at which the pattern so far can end.
  private func isLike(_ pattern: ComparedText) -> Bool {
    var ends = [true] + characters.map { _ in false }
    for character in pattern.characters {
      var next = ends.map { _ in false }
      for index in ends.indices {
        if character == "*" {
          next[index] = ends[index] || index > 0 && next[index - 1]
        } else if index > 0, ends[index - 1] {
          next[index] = character == "?" || character == characters[index - 1]
        }
      }
      ends = next
    }
    return ends[characters.count]
  }

  /// Folds a text for the options `[c]` and `[d]`. §compare-texts
  ///
  /// A Latin letter with marks is a character that Unicode treats as equal to the letter followed
  /// by these marks. A stroke through a letter is not a mark.
  package static func folded(_ text: String, _ options: PredicateTree.Options) -> String {
    let text = options.contains(.caseInsensitive) ? caseFolded(text) : text
    guard options.contains(.diacriticInsensitive) else { return text }
    // An ASCII character has no marks. Texts are seldom more, and the table is large.
    return text.map { character in
      character.isASCII
        ? String(character) : plainLetters[character].map { String($0) } ?? withoutMarks(character)
    }.joined()
  }

  /// Folds the case of each character: lowercase, uppercase, and lowercase again. The result is the
  /// same for a sharp s, "ss" and a capital sharp s. A dotless i stays different from an i,
  /// although both have the same capital.
  private static func caseFolded(_ text: String) -> String {
    text.map { $0 == "ı" ? "ı" : $0.lowercased().uppercased().lowercased() }.joined()
  }

  /// Removes the marks of a character that does not begin with a Latin letter.
  private static func withoutMarks(_ character: Character) -> String {
    var rest = String.UnicodeScalarView()
    for scalar in character.unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark {
      rest += (plainLetters[Character(scalar)] ?? Character(scalar)).unicodeScalars
    }
    return String(rest)
  }

  private static let plainLetters: LookupTable<Character, Character> = {
    let marks = (UInt32(0x300)...0x36F).compactMap(Unicode.Scalar.init)
    var table = LookupTable<Character, Character>()
    for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZæÆøØʒƷſ".unicodeScalars {
      for first in marks {
        table[Character(String(String.UnicodeScalarView([letter, first])))] = Character(letter)
        // Checked before a text is created, which saves hundreds of thousands of texts.
        guard isComposed(first) else { continue }
        for second in marks where first != second && isComposed(second) {
          let marked = String(String.UnicodeScalarView([letter, first, second]))
          if marked.count == 1 { table[Character(marked)] = Character(letter) }
        }
      }
    }
    return table
  }()

  /// Returns true for marks that occur on letters with two marks.
  private static func isComposed(_ mark: Unicode.Scalar) -> Bool {
    switch mark.value {
    case 0x300...0x304, 0x306...0x30A, 0x30C, 0x31B, 0x323, 0x327, 0x328: true
    default: false
    }
  }
}
