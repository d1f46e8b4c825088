package import Scenario

extension Scenario {
  /// Its name as a title: `childs-merge-loses-an-update` is "Child's merge loses an update".
  package var title: String {
    let parts = name.split(separator: "-").map(String.init)
    var words: [String] = []
    for (index, word) in parts.enumerated() {
      let verb = index + 2 < parts.count ? parts[index + 2] : nil
      words.append(titleWord(word, after: words.last, before: verb))
    }
    let text = words.joined(separator: " ")
    // A name of code keeps its case: `awakeFromInsert`.
    let isCode = words.first?.dropFirst().contains(where: \.isUppercase) ?? false
    return isCode ? text : text.prefix(1).uppercased() + text.dropFirst()
  }
}

/// A file's name has no apostrophes; what stands in it like this is a genitive.
///
/// - Parameter verb: The word behind the next one. If that is a verb for one thing, the word is a
///   genitive: "observer's merge loses", and not "observers merge both writers".
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
