package import Scenario

extension Scenario {
  /// Its name as a title: `childs-merge-loses-an-update` is "Child's merge loses an update".
  package var title: String {
    var words: [String] = []
    for word in name.split(separator: "-").map(String.init) {
      words.append(titleWord(word, after: words.last))
    }
    let text = words.joined(separator: " ")
    // A name of code keeps its case: `awakeFromInsert`.
    let isCode = words.first?.dropFirst().contains(where: \.isUppercase) ?? false
    return isCode ? text : text.prefix(1).uppercased() + text.dropFirst()
  }
}

/// A file's name has no apostrophes; what stands in it like this is a genitive.
private func titleWord(_ word: String, after previous: String?) -> String {
  let isDetermined = ["the", "its", "a"].contains(previous)
  let isCounted = ["two", "three", "several"].contains(previous)
  switch word {
  case "id": return "ID"
  case "ids": return "IDs"
  case "workers" where isCounted: return word
  case "childs", "childrens", "parents", "neighbours", "workers", "callers", "owners":
    return word.dropLast() + "'s"
  case "rows" where isDetermined, "roots" where isDetermined: return word.dropLast() + "'s"
  default: return word
  }
}
