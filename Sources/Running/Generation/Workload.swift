/// A program fragment that resembles a task of an app. A campaign can concentrate on workloads.
package enum Workload: String, CaseIterable, Sendable {
  /// Looks up each object of a delivery, inserts the missing objects, and saves them all.
  case importObjects
  /// Shows an object, changes it, and saves or cancels some time later.
  case editForm
  /// Fills a list, and looks at it again later.
  case showList
  /// Deletes objects that a server reports as deleted.
  case syncDeletions
  /// Increments a number in two contexts.
  case countFromTwoPlaces
  /// Inserts two related objects.
  case insertRelated
  /// Begins to change objects, and discards the changes.
  case cancelHalfway
  /// Reorders the members of an ordered relationship, and saves nothing else.
  case rearrangeList
  /// Moves an object to another owner, and may delete the previous owner.
  case moveObjects
  /// Fetches a sorted list page by page, with other steps between the pages.
  case pageList

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
    case .moveObjects: .moveObjects
    case .pageList: .pageList
    }
  }
}
