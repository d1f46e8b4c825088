/// Something that apps do, as a fragment of a program: what a campaign can be about.
package enum Workload: String, CaseIterable, Sendable {
  /// Looks for each object of a delivery, makes those that are not there, and saves them all.
  case importObjects
  /// Shows an object, changes it, and saves or cancels some time later.
  case editForm
  /// Fills a list, and looks at it again later.
  case showList
  /// Deletes what a server says is gone.
  case syncDeletions
  /// Counts a number up in two contexts.
  case countFromTwoPlaces
  /// Inserts two objects that lead to each other.
  case insertRelated
  /// Begins to change things and gives up.
  case cancelHalfway
  /// Puts the members of an ordered relationship into another order, and saves nothing else.
  case rearrangeList

  package var kind: StepGenerator.Kind {
    switch self {
    case .importObjects: .importObjects
    case .editForm: .editForm
    case .showList: .showList
    case .syncDeletions: .syncDeletions
    case .countFromTwoPlaces: .countFromTwoPlaces
    case .insertRelated: .insertRelated
    case .cancelHalfway: .cancelHalfway
    case .rearrangeList: .rearrangeList
    }
  }
}
