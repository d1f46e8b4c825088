public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A controller that keeps the list of a fetch request's results up to date (NT-18).
///
/// The delegate is notified of changes after the context has processed them. Sections are values of
/// the property of the first sort descriptor.
open class NSFetchedResultsController<ResultType>: NSObject {
  /// The fetch request of the list. Changes of the request take effect with the next
  /// `performFetch`.
  public let fetchRequest: NSFetchRequest<ResultType>
  private let list: ResultsController

  /// Creates a controller whose list is empty until `performFetch`. The cache name has no effect.
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

  /// Creates a controller of the same list for a delegate, whose methods take a controller of any
  /// result type.
  init(
    sharing list: ResultsController
  ) where ResultType == any NSFetchRequestResult {
    fetchRequest = list.request ?? NSFetchRequest()
    self.list = list
  }

  /// The context of the listed objects.
  open var managedObjectContext: NSManagedObjectContext { list.context }
  /// The key path whose values name the sections.
  open var sectionNameKeyPath: String? { list.sectionNameKeyPath }
  /// The name of the cache. Has no effect.
  open var cacheName: String? { list.cacheName }

  /// The delegate, which is notified of changes. Without a delegate, the list does not change until
  /// the next fetch.
  open var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { list.delegate }
    set { list.delegate = newValue }
  }

  /// Fetches the objects of the list.
  open func performFetch() throws {
    guard let descriptors = fetchRequest.sortDescriptors else {
      misuse(
        "an instance of NSFetchedResultsController requires a fetch request with sort descriptors")
    }
    list.order = descriptors.contains(where: \.isBeyondLists) ? descriptors : []
    list.fetch(list.context.engineRequest(fetchRequest, isList: true))
  }

  /// The objects of all sections, or `nil` before `performFetch`.
  open var fetchedObjects: [ResultType]? {
    list.objects?.compactMap { $0 as? ResultType }
  }

  /// The sections, or `nil` before `performFetch`.
  open var sections: [any NSFetchedResultsSectionInfo]? { list.sections }

  /// Returns the object at an index path. Traps if there is no such object.
  open func object(at path: Foundation.IndexPath) -> ResultType {
    guard let object = list.sections?[path.section].objects?[path.item] as? ResultType else {
      misuse("no object at section \(path.section), item \(path.item)")
    }
    return object
  }

  /// Returns the index path of an object, or `nil` if the object is not in the list.
  open func indexPath(forObject object: ResultType) -> Foundation.IndexPath? {
    for (index, section) in (list.sections ?? []).enumerated() {
      let objects = (section.objects ?? []).map { $0 as AnyObject }
      if let item = objects.firstIndex(where: { $0 === object as AnyObject }) {
        return Foundation.IndexPath(item: item, section: index)
      }
    }
    return nil
  }

  /// The index titles of the sections.
  open var sectionIndexTitles: [String] {
    (list.sections ?? []).compactMap { sectionIndexTitle(forSectionName: $0.name) }
  }

  /// Returns the index title of a section, which the delegate may provide. The default is the
  /// capitalized first letter of the section name.
  open func sectionIndexTitle(forSectionName name: String) -> String? {
    list.titleByDelegate(name)
  }

  /// Returns the index of the section with an index title.
  open func section(forSectionIndexTitle title: String, at index: Int) -> Int { index }

  /// Has no effect, because nothing is cached.
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
  /// The name of the section, which is the common value of its objects.
  var name: String { get }
  /// The title of the section in an index. The default is the capitalized first letter of the name.
  var indexTitle: String? { get }
  /// The number of objects in the section.
  var numberOfObjects: Int { get }
  /// The objects of the section, in order.
  var objects: [Any]? { get }
}

/// The kind of a change of an object or a section in a list.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// An object or a section was inserted.
  case insert = 1
  /// An object or a section was removed.
  case delete = 2
  /// An object moved to another place.
  case move = 3
  /// The values of an object changed.
  case update = 4
}

/// A delegate that is notified of changes of a list: before the changes, of each change, and after
/// the changes.
public protocol NSFetchedResultsControllerDelegate: AnyObject {
  /// Called before the list changes.
  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>)
  /// Called when a section was inserted or removed.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)
  /// Called when an object was inserted, removed, moved or updated.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange object: Any, at indexPath: Foundation.IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: Foundation.IndexPath?)
  /// Called with all changes of the list except those of sections.
  ///
  /// Core Data calls this method instead of the methods for each change. The simulation calls all
  /// methods that a delegate implements.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)
  /// Called after the list has changed.
  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>)
  /// Returns the title of a section in an index. The default is the capitalized first letter of the
  /// section name.
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
  /// Returns the capitalized first letter of the section name.
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
  /// Creates the index path of an item in a list.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  /// Creates the index path of a row in a list.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  /// The index of the section.
  public var section: Int { self[0] }
  /// The index of the item in its section.
  public var item: Int { self[1] }
  /// The index of the row in its section.
  public var row: Int { self[1] }
}
