import Prose
import Vocabulary

/// Words of loops, as in `forEach delivered touch`.
extension ObjectSet {
  /// The sets that have a fixed word, in the order of error messages. `saved` shares its word with
  /// the set that it resolves.
  static let written: [ObjectSet] = [
    .delivered, .deliveredUpdates, .inserted, .updated, .registered,
  ]

  /// The word for the set, or `nil` for an ID set of the app, which has a name.
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
  /// Reads a set of objects.
  ///
  /// The set is `inserted`, `updated`, `registered` or the name of an ID set. In an observer, it
  /// can also be `delivered` or `deliveredUpdates`.
  func objectSet(_ line: inout LineReader) throws(TextError) -> ObjectSet {
    let word = try line.word("the name of a set of objects")
    if let variable = idSet(word) { return .remembered(variable) }
    guard let set = ObjectSet.written.first(where: { $0.word == word }) else {
      let words = ObjectSet.written.compactMap(\.word) + stack.idSets.map(\.name)
      throw declaredBelow(.ids, word, "declare ids above the contexts", line)
        ?? line.undeclared(word, unknown("no set of objects", word, "there are", words))
    }
    if set == .delivered || set == .deliveredUpdates { try checkIsTold(line) }
    return set
  }

  /// Reads the operation of a loop: `touch`, `edit`, `mark`, `refresh`, `refresh merging` or
  /// `delete`.
  func treatment(_ line: inout LineReader) throws(TextError) -> Treatment {
    let word = try line.word("the treatment of each object")
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
