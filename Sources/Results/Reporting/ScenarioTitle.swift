package import Scenario

extension Scenario {
  /// The name as a title. For example, `childs-merge-loses-an-update` becomes "Child's merge loses
  /// an update".
  package var title: String {
    let parts = name.split(separator: "-").map(String.init)
    var words: [String] = []
    for (index, word) in parts.enumerated() {
      let verb = index + 2 < parts.count ? parts[index + 2] : nil
      words.append(titleWord(word, after: words.last, before: verb))
    }
    let text = words.joined(separator: " ")
    // A name from code, such as `awakeFromInsert`, keeps its case.
    let isCode = words.first?.dropFirst().contains(where: \.isUppercase) ?? false
    return isCode ? text : text.prefix(1).uppercased() + text.dropFirst()
  }
}

/// Returns a word of a title, with the apostrophe of a genitive, which file names lack.
///
/// - Parameter verb: The word after the next one. If it is a singular verb, the word is a genitive,
///   as in "observer's merge loses" but not in "observers merge both writers".
private func titleWord(
  _ word: String, after previous: String?, before verb: String?
) -> String {
  let isDetermined = ["the", "its", "a", "an"].contains(previous)
  let isCounted = ["two", "three", "several"].contains(previous)
  switch word {
  case "id": return "ID"
  case "ids": return "IDs"
  case "workers" where isCounted: return word
  case "childs", "childrens", "parents", "neighbours", "workers", "callers", "owners":
    return word.dropLast() + "'s"
  case "observers" where isDetermined || verb?.hasSuffix("s") == true:
    return word.dropLast() + "'s"
  case "rows" where isDetermined, "roots" where isDetermined: return word.dropLast() + "'s"
  default: return word
  }
}
