public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A list of the objects that a request finds, kept up to date (NT-18).
///
/// Its delegate hears of changes when the context has processed them. Sections are values of the
/// property that is sorted by first.
open class NSFetchedResultsController<ResultType>: NSObject {
  /// What is listed. Changes of it take effect with the next `performFetch`.
  public let fetchRequest: NSFetchRequest<ResultType>
  private let list: ResultsController

  /// A list that is empty until `performFetch`. `cacheName` is of no effect.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    self.fetchRequest = fetchRequest
    list = ResultsController(context, sectionNameKeyPath, cacheName: name)
    super.init()
    list.request = fetchRequest.cast(to: NSFetchRequest<any NSFetchRequestResult>.self)
    list.title = { [weak self] in self?.sectionIndexTitle(forSectionName: $0) }
    list.controller = self as? NSFetchedResultsController<any NSFetchRequestResult>
  }

  /// The same list for a delegate, which takes any kind of result.
  init(
    sharing list: ResultsController
  ) where ResultType == any NSFetchRequestResult {
    fetchRequest = list.request ?? NSFetchRequest()
    self.list = list
  }

  /// The context whose objects are listed.
  open var managedObjectContext: NSManagedObjectContext { list.context }
  /// The property whose values are sections.
  open var sectionNameKeyPath: String? { list.sectionNameKeyPath }
  /// Of no effect.
  open var cacheName: String? { list.cacheName }

  /// Hears of changes. Without one, the list stays as it was fetched.
  open var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { list.delegate }
    set { list.delegate = newValue }
  }

  /// Fetches the list anew.
  open func performFetch() throws {
    guard let descriptors = fetchRequest.sortDescriptors else {
      misuse(
        "an instance of NSFetchedResultsController requires a fetch request with sort descriptors")
    }
    list.order = descriptors.contains(where: \.isBeyondLists) ? descriptors : []
    list.fetch(list.context.engineRequest(fetchRequest, isList: true))
  }

  /// The objects of all sections; nil before `performFetch`.
  open var fetchedObjects: [ResultType]? {
    list.objects?.compactMap { $0 as? ResultType }
  }

  /// The sections; nil before `performFetch`.
  open var sections: [any NSFetchedResultsSectionInfo]? { list.sections }

  /// The object at a place. Traps if there is none.
  open func object(at path: Foundation.IndexPath) -> ResultType {
    guard let object = list.sections?[path.section].objects?[path.item] as? ResultType else {
      misuse("no object at section \(path.section), item \(path.item)")
    }
    return object
  }

  /// The place of an object; nil if it is not listed.
  open func indexPath(forObject object: ResultType) -> Foundation.IndexPath? {
    for (index, section) in (list.sections ?? []).enumerated() {
      let objects = (section.objects ?? []).map { $0 as AnyObject }
      if let item = objects.firstIndex(where: { $0 === object as AnyObject }) {
        return Foundation.IndexPath(item: item, section: index)
      }
    }
    return nil
  }

  /// The titles of the sections.
  open var sectionIndexTitles: [String] {
    (list.sections ?? []).compactMap { sectionIndexTitle(forSectionName: $0.name) }
  }

  /// What the delegate says for a section's name; without one, its first letter.
  open func sectionIndexTitle(forSectionName name: String) -> String? {
    list.titleByDelegate(name)
  }

  /// The section of an index title.
  open func section(forSectionIndexTitle title: String, at index: Int) -> Int { index }

  /// Of no effect: nothing is cached.
  open class func deleteCache(withName name: String?) {}

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? any ListOwner)?.sharedList === list
  }

  open override var hash: Int { ObjectIdentifier(list).hashValue }
}

private protocol ListOwner {
  var sharedList: ResultsController { get }
}

extension NSFetchedResultsController: ListOwner {
  fileprivate var sharedList: ResultsController { list }
}

/// A section of a list.
public protocol NSFetchedResultsSectionInfo {
  /// The value that its objects have in common, as text.
  var name: String { get }
  /// Its title in an index: the first letter of its name, unless the delegate says otherwise.
  var indexTitle: String? { get }
  /// How many objects it has.
  var numberOfObjects: Int { get }
  /// The objects, in order.
  var objects: [Any]? { get }
}

/// What happened to an object or a section of a list.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// It is new.
  case insert = 1
  /// It is gone.
  case delete = 2
  /// It has another place.
  case move = 3
  /// It has other values.
  case update = 4
}

/// Hears of the changes of a list: first that there will be some, then of each, then that it was
/// all.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// The list still is as it was.
  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>)
  /// A section is new or gone.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)
  /// An object is new, gone, or was changed.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange object: Any, at indexPath: Foundation.IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: Foundation.IndexPath?)
  /// What has changed in the list, without its sections. Core Data calls this instead of the
  /// methods for each change; here a delegate that has both hears both.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)
  /// The list is as it will be.
  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>)
  /// The title of a section in an index; the first letter of its name unless it says otherwise.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

extension NSFetchedResultsControllerDelegate {
  /// Does nothing.
  public func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {}
  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}
  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange object: Any, at indexPath: Foundation.IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: Foundation.IndexPath?
  ) {}
  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {}
  /// The first letter.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? { sectionName.first.map { String($0).uppercased() } }
  /// Does nothing.
  public func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {}
}

extension Foundation.IndexPath {
  /// The place of an item, as lists use it.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  /// The place of a row, as lists use it.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  /// The first index.
  public var section: Int { self[0] }
  /// The second index.
  public var item: Int { self[1] }
  /// The second index.
  public var row: Int { self[1] }
}
