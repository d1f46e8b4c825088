import Prose
import Vocabulary

/// How loops and conditions are written: `forEach delivered touch`, `when hasChanges`.
extension ObjectSet {
  /// In the order in which messages list them. `saved` has the word of the set that it is.
  static let written: [ObjectSet] = [
    .delivered, .deliveredUpdates, .inserted, .updated, .registered,
  ]

  var word: String {
    switch self {
    case .delivered, .saved(_, updatesOnly: false): "delivered"
    case .deliveredUpdates, .saved(_, updatesOnly: true): "deliveredUpdates"
    case .inserted: "inserted"
    case .updated: "updated"
    case .registered: "registered"
    }
  }
}

extension Treatment {
  static let written: [Treatment] = [.touch, .edit, .mark, .refresh(mergeChanges: false)]

  var words: String {
    switch self {
    case .touch: "touch"
    case .edit: "edit"
    case .mark: "mark"
    case .refresh(mergeChanges: false): "refresh"
    case .refresh(mergeChanges: true): "refresh merging"
    }
  }
}

extension Scope {
  /// `delivered`, `deliveredUpdates`, in an observer; `inserted`, `updated`, `registered`
  func objectSet(_ line: inout LineReader) throws(TextError) -> ObjectSet {
    let word = try line.word("the name of a set of objects")
    guard let set = ObjectSet.written.first(where: { $0.word == word }) else {
      throw line.error(
        unknown("no set of objects", word, "there are", ObjectSet.written.map(\.word)))
    }
    if set == .delivered || set == .deliveredUpdates { try checkIsTold(line) }
    return set
  }

  /// `touch`, `edit`, `mark`, `refresh`, `refresh merging`
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
