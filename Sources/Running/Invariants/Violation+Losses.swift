package import ObjectModel
import Vocabulary

extension [Violation] {
  /// Returns the violations of one object in one save, worst loss first: lost counts, then other
  /// numbers, dates last.
  ///
  /// - Parameter first: One of the violations. This violation is the only result if it concerns no
  ///   attribute.
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
  /// The program's name of the object, which the run may know by its temporary or its permanent ID.
  fileprivate var name: ObjectName? { names.first { $0.object == object }?.name }

  /// A Boolean value that indicates whether two contexts incremented the same number. Then one
  /// count is lost although both saved the stored value.
  private var losesCount: Bool { values.count == 2 && values[0] == values[1] }

  /// Returns the rank of the loss, 0 for the worst. User data matters more than dates.
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
