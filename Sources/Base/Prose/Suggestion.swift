/// Returns a sentence about an unknown word, with the known words and the most similar one.
///
///     step names lane 'edti'; the stack has 'view' and 'edit': did you mean 'edit'?
package func unknown(_ statement: String, _ word: String, _ place: String, _ known: [String])
  -> String
{
  let nearest = nearestWord(to: word, among: known)
  let beginning = "\(statement) '\(shortened(word))'"
  let hint = nearest.map { ": did you mean '\($0)'?" } ?? ""
  // After a typing mistake, a long list does not help.
  if known.count > 8 && nearest != nil { return beginning + hint }
  return "\(beginning); \(place) \(enumerated(known))\(hint)"
}

/// Returns a sentence about a word that is not one of many known words.
///
/// The sentence names the most similar word, or the words that contain it, or else the place where
/// all words are listed.
///
///     no verb 'batch'; those that contain it are 'batchUpdate', 'batchDelete' and 'batchInsert'
package func unknown(
  _ statement: String, _ word: String, of known: [String], otherwise place: String
) -> String {
  let beginning = "\(statement) '\(shortened(word))'"
  if let nearest = nearestWord(to: word, among: known) {
    return beginning + ": did you mean '\(nearest)'?"
  }
  // Most names are long. A word that is a part of them is an abbreviation, not a typing mistake.
  let longer = known.filter { word.count > 3 && $0.lowercased().contains(word.lowercased()) }
  return longer.isEmpty
    ? "\(beginning); \(place)"
    : "\(beginning); those that contain it are \(enumerated(longer))"
}

/// Returns the words as a quoted list, such as `'a', 'b' and 'c'`.
package func enumerated(_ words: [String]) -> String {
  let shown = words.prefix(30).map { "'\($0)'" }
  guard let last = shown.last else { return "none" }
  if shown.count < words.count {
    return shown.joined(separator: ", ") + " and \(words.count - shown.count) more"
  }
  if shown.count == 1 { return last }
  return shown.dropLast().joined(separator: ", ") + " and " + last
}

/// Returns `word`, shortened if it is too long to be quoted in a sentence.
package func shortened(_ word: String) -> String {
  word.unicodeScalars.count <= 60 ? word : String(word.unicodeScalars.prefix(57)) + "..."
}

/// Returns the first of the words most similar to `word`, or `nil` if none is similar enough.
package func nearestWord(to word: String, among known: [String]) -> String? {
  var best: String? = nil
  // A single letter is near any other letter and gives no hint.
  if word.utf8.count < 2 { return nil }
  var bestDistance = max(1, word.utf8.count / 3) + 1
  for candidate in known {
    let difference = abs(candidate.utf8.count - word.utf8.count)
    guard difference < bestDistance, candidate.utf8.count <= 64 else { continue }
    let distance = editDistance(Array(word.utf8), Array(candidate.utf8))
    if distance < bestDistance { (best, bestDistance) = (candidate, distance) }
  }
  return best
}

/// Returns the minimum number of letters to add, drop, change or swap with a neighbour.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  if a.isEmpty || b.isEmpty { return a.count + b.count }
  var rows = [Array(0...b.count)]
  for i in 1...a.count {
    var row = [i]
    for j in 1...b.count {
      let change = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
      var distance = min(rows[i - 1][j] + 1, row[j - 1] + 1, change)
      if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
        distance = min(distance, rows[i - 2][j - 2] + 1)
      }
      row.append(distance)
    }
    rows.append(row)
  }
  return rows[a.count][b.count]
}
