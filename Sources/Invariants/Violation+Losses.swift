package import ObjectModel
import Vocabulary

extension [Violation] {
  /// The violations of one object that one save shows, the one that a reader misses most first:
  /// lost counts, other numbers, dates last.
  ///
  /// - Parameter first: One of them. It is the only result if it is about no attribute.
  package func ofOneSave(with first: Violation, in model: ObjectModel) -> [Violation] {
    guard first.property != nil else { return [first] }
    let together = filter { other in
      other.property != nil && other.kind == first.kind && other.context == first.context
        && other.stepNumber == first.stepNumber
    }
    let ranked = together.enumerated().sorted { a, b in
      (a.element.lossRank(in: model), a.offset) < (b.element.lossRank(in: model), b.offset)
    }.map(\.element)
    guard let worst = ranked.first else { return [first] }
    return ranked.filter { $0.object == worst.object || $0.name != nil && $0.name == worst.name }
  }
}

extension Violation {
  /// The program's name of the object, which may be known by its temporary or its permanent ID.
  fileprivate var name: ObjectName? { names.first { $0.object == object }?.name }

  /// A Boolean value that indicates whether two contexts counted up from the same number, so that
  /// one count is lost although the stored value is what both have saved.
  private var losesCount: Bool { values.count == 2 && values[0] == values[1] }

  /// The order in which values are missed: what a user has done counts more than when.
  fileprivate func lossRank(in model: ObjectModel) -> Int {
    if losesCount { return 0 }
    guard let object, let property else { return 2 }
    return switch model[object.entity][property].attribute?.type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: 1
    case .date: 3
    default: 2
    }
  }
}
