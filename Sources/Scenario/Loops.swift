import Prose
import Vocabulary

/// How loops and conditions are written: `forEach delivered touch`, `when hasChanges`.
extension ObjectSet {
  /// In the order in which messages list them, before the sets of the app. `saved` has the word of
  /// the set that it is.
  static let written: [ObjectSet] = [
    .delivered, .deliveredUpdates, .inserted, .updated, .registered,
  ]

  /// Nil for a set of the app, which has a name.
  var word: String? {
    switch self {
    case .remembered: nil
    case .delivered, .saved(_, updatesOnly: false): "delivered"
    case .deliveredUpdates, .saved(_, updatesOnly: true): "deliveredUpdates"
    case .inserted: "inserted"
    case .updated: "updated"
    case .registered: "registered"
    }
  }
}

extension Treatment {
  static let written: [Treatment] = [.touch, .edit, .mark, .refresh(mergeChanges: false), .delete]

  var words: String {
    switch self {
    case .touch: "touch"
    case .edit: "edit"
    case .mark: "mark"
    case .refresh(mergeChanges: false): "refresh"
    case .refresh(mergeChanges: true): "refresh merging"
    case .delete: "delete"
    }
  }
}

extension Scope {
  /// `delivered`, `deliveredUpdates`, in an observer; `inserted`, `updated`, `registered`; or the
  /// name of a set of the app
  func objectSet(_ line: inout LineReader) throws(TextError) -> ObjectSet {
    let word = try line.word("the name of a set of objects")
    if let variable = idSet(word) { return .remembered(variable) }
    guard let set = ObjectSet.written.first(where: { $0.word == word }) else {
      let words = ObjectSet.written.compactMap(\.word) + stack.idSets.map(\.name)
      throw declaredBelow(.ids, word, "ids stand above the contexts", line)
        ?? line.undeclared(word, unknown("no set of objects", word, "there are", words))
    }
    if set == .delivered || set == .deliveredUpdates { try checkIsTold(line) }
    return set
  }

  /// `touch`, `edit`, `mark`, `refresh`, `refresh merging`, `delete`
  func treatment(_ line: inout LineReader) throws(TextError) -> Treatment {
    let word = try line.word("what is done to each")
    guard let treatment = Treatment.written.first(where: { $0.words == word }) else {
      throw line.error(
        unknown("no treatment", word, "there are", Treatment.written.map(\.words)))
    }
    if treatment == .refresh(mergeChanges: false), line.takes(keyword: "merging") {
      return .refresh(mergeChanges: true)
    }
    return treatment
  }
}
