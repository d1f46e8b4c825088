public import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// A type of result that a fetch request can return.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// The kind of result that a fetch request returns.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// The bits of the option set.
  public let rawValue: UInt
  /// Creates an option set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Managed objects.
  public static let managedObjectResultType = NSFetchRequestResultType([])
  /// Object IDs.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  /// Dictionaries of stored values (FE-04).
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  /// The number of matching objects.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// A description of the objects to fetch from stores.
///
/// The type parameter is unconstrained, because `any NSFetchRequestResult` does not conform to
/// `NSFetchRequestResult` on Linux.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The name of the entity, if the request was created with a name.
  public let entityName: String?
  /// The entity, if it was set.
  open var entity: NSEntityDescription?
  /// A predicate for the objects, or `nil` for all objects.
  open var predicate: NSPredicate?
  /// The sort order of the results.
  open var sortDescriptors: [NSSortDescriptor]?
  /// The maximum number of results, or 0 for no limit.
  open var fetchLimit = 0
  /// The number of results to skip at the beginning.
  open var fetchOffset = 0
  /// The number of objects in a batch. Has no effect, because batches only save memory.
  open var fetchBatchSize = 0
  /// A Boolean value that indicates whether the results reflect unsaved changes of the context.
  open var includesPendingChanges = true
  /// A Boolean value that indicates whether the results include objects of subentities.
  open var includesSubentities = true
  /// A Boolean value that indicates whether the objects in the results are faults.
  open var returnsObjectsAsFaults = true
  /// A Boolean value that requests fresh values for objects that are already loaded. Has no effect,
  /// as in Core Data (FL-07), but traps if the request sorts by a method and has a limit or offset
  /// or requests IDs.
  open var shouldRefreshRefetchedObjects = false
  /// The kind of result.
  open var resultType = NSFetchRequestResultType.managedObjectResultType
  /// The values in dictionary results: names or descriptions of properties, or descriptions of
  /// computed values. If it is `nil`, dictionaries contain all attributes (FP-A4).
  open var propertiesToFetch: [Any]?
  /// The properties to group dictionary results by. Rows with equal values of these properties form
  /// one group.
  open var propertiesToGroupBy: [Any]?
  /// A predicate for the groups of dictionary results. The predicate may use grouped properties and
  /// aggregates. A variable may refer to a computed value by the name of its description.
  open var havingPredicate: NSPredicate?
  /// A Boolean value that indicates whether equal dictionaries are returned only once.
  open var returnsDistinctResults = false
  /// A Boolean value that has no effect, because the values of objects are loaded when they are
  /// read.
  open var includesPropertyValues = true
  /// The relationships to prefetch. Has no effect, because relationships are loaded when they are
  /// read.
  open var relationshipKeyPathsForPrefetching: [String]?

  /// Creates a request for objects of the entity with this name.
  public init(entityName: String, file: String = #fileID) {
    self.entityName = entityName
    RunState.ifRunning?.noteCaller(file)
  }

  /// Creates a request whose entity is set later.
  public override init() { entityName = nil }

  /// Returns the request itself, or a copy if its result type is another.
  func cast<Other>(to type: NSFetchRequest<Other>.Type) -> NSFetchRequest<Other> {
    if let request = self as? NSFetchRequest<Other> { return request }
    return copied(to: type)
  }

  /// Returns a copy of the request with another result type.
  func copied<Other>(to type: NSFetchRequest<Other>.Type) -> NSFetchRequest<Other> {
    let request =
      entityName.map { NSFetchRequest<Other>(entityName: $0) } ?? NSFetchRequest<Other>()
    request.entity = entity
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.fetchBatchSize = fetchBatchSize
    request.includesPendingChanges = includesPendingChanges
    request.includesSubentities = includesSubentities
    request.returnsObjectsAsFaults = returnsObjectsAsFaults
    request.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
    request.resultType = resultType
    request.propertiesToFetch = propertiesToFetch
    request.propertiesToGroupBy = propertiesToGroupBy
    request.havingPredicate = havingPredicate
    request.returnsDistinctResults = returnsDistinctResults
    request.includesPropertyValues = includesPropertyValues
    request.affectedStores = affectedStores
    request.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    return request
  }

  /// Returns a copy of the request.
  open override func copy(with zone: NSZone? = nil) -> Any {
    copied(to: NSFetchRequest<ResultType>.self)
  }

  /// Carries out the request in the context whose block is running. Traps outside of such a block.
  open func execute() throws -> [ResultType] {
    guard let context = RunState.current.currentContexts.last else {
      misuse("a request is executed outside of a block of a context")
    }
    return try context.fetch(self)
  }
}

extension NSManagedObjectContext {
  /// Carries out a fetch request. Throws an error if the coordinator has no store.
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    guard isOfApp else { return try found(by: request) }
    noteType(Result.self)
    let request = request.cast(to: NSFetchRequest<any NSFetchRequestResult>.self)
    let method: (NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] = fetch
    return answers(try method(request), as: Result.self)
  }

  /// A Boolean value that indicates whether the context is of a subclass, which may override
  /// `fetch` and `count`.
  private var isOfApp: Bool { type(of: self) != NSManagedObjectContext.self }

  func found<Result>(by request: NSFetchRequest<Result>) throws -> [Result] {
    noteType(Result.self)
    return try answers(answers(to: request), as: Result.self)
  }

  private func noteType<Result>(_ type: Result.Type) {
    if let type = type as? NSManagedObject.Type, type != NSManagedObject.self { state.use(type) }
  }

  private func answers<Result>(_ items: [Any], as _: Result.Type) -> [Result] {
    items.map { item in
      guard
        let result = (item as? Result)
          ?? ((item as? [String: Any]).map { NSDictionary(dictionary: $0) } as? Result)
      else {
        misuse("the request returns \(type(of: item)), not \(Result.self)")
      }
      return result
    }
  }

  private func answers<Result>(to request: NSFetchRequest<Result>) throws -> [Any] {
    if let objects = try objectsByBlock(request) {
      switch request.resultType {
      case .managedObjectIDResultType: return objects.map(\.objectID)
      case .countResultType: return [NSNumber(value: objects.count)]
      default: return objects
      }
    }
    let named = DictionaryRows(request)
    if let rows = try named?.storedRows(of: request, in: self) { return rows }
    if let ids = try sortedIDs(request) {
      guard request.resultType == .managedObjectResultType else {
        return ids.map { NSManagedObjectID($0, state) }
      }
      return filled(ids.map { object(for: $0) }, request)
    }
    for event in try attempt(.fetch(engineRequest(request))).reversed() {
      switch event {
      case .objects(let ids):
        let sorted = sorted(ids, by: request.sortDescriptors ?? [], beyond: \.isBeyondStores)
        return filled(sorted.map { object(for: $0) }, request)
      case .objectIDs(let ids): return ids.map { NSManagedObjectID($0, state) }
      case .count(let count): return [NSNumber(value: count)]
      case .dictionaries(let entity, let rows):
        let rows = rows.map { dictionary($0, of: entity) }
        return named?.window(named?.renamed(rows) ?? rows, of: request) ?? rows
      case .summaries(let entity, let properties, let aggregates, let rows):
        let answers = rows.map { row in
          let own = dictionary(zip(properties, row).map { PropertyValue($0, $1) }, of: entity)
          return named?.answer(own, aggregates, row.dropFirst(properties.count), self, entity)
            ?? own
        }
        return named?.window(answers, of: request) ?? answers
      default: continue
      }
    }
    return []
  }

  /// The engine loads the objects, but releases their values because no code holds the objects.
  /// Loads the values again if the request asks for objects that are not faults.
  private func filled<Result>(
    _ objects: [NSManagedObject], _ request: NSFetchRequest<Result>
  ) -> [NSManagedObject] {
    if !request.returnsObjectsAsFaults {
      for object in objects where object.isFault { object.willAccessValue(forKey: nil) }
    }
    return objects
  }

  /// Returns the number of objects that a request would fetch.
  public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    guard isOfApp else { return try counted(by: request) }
    return try count(for: request.cast(to: NSFetchRequest<any NSFetchRequestResult>.self))
  }

  func counted<Result>(by request: NSFetchRequest<Result>) throws -> Int {
    if let objects = try objectsByBlock(request) { return objects.count }
    return try countAnswers(to: engineRequest(request))
  }

  private func countAnswers(to request: FetchRequest) throws -> Int {
    for case .count(let count) in try attempt(.count(request)) { return count }
    return 0
  }

  func engineRequest<Result>(
    _ request: NSFetchRequest<Result>, isList: Bool = false
  ) -> FetchRequest {
    let declared = persistentStoreCoordinator?.managedObjectModel
    guard let entity = request.entity ?? declared?.entitiesByName[request.entityName ?? ""] else {
      misuse("a request is for '\(request.entityName ?? "")', which is not an entity of the model")
    }
    var result = FetchRequest(entity: state.id(of: entity))
    if let predicate = request.predicate {
      (result.predicate, result.tree) = PredicateFormat.of(predicate).parts(of: result.entity, self)
    }
    result.sortDescriptors = engineDescriptors(of: request, result.entity, isList: isList)
    result.fetchLimit = request.fetchLimit
    result.fetchOffset = request.fetchOffset
    result.includesPendingChanges = request.includesPendingChanges
    result.includesSubentities = request.includesSubentities
    result.returnsObjectsAsFaults = request.returnsObjectsAsFaults
    result.shouldRefreshRefetchedObjects = request.shouldRefreshRefetchedObjects
    result.affectedStores = request.affectedStores?.map(\.id)
    switch request.resultType {
    case .managedObjectIDResultType: result.resultType = .managedObjectID
    case .dictionaryResultType: result.resultType = .dictionary
    case .countResultType: result.resultType = .count
    default: break
    }
    var names = (request.propertiesToFetch ?? []).map { item in
      (item as? String) ?? (item as? NSPropertyDescription)?.name ?? "\(item)"
    }
    let model = run.model[result.entity]
    func property(_ name: String) -> PropertyID {
      guard let id = model.property(named: name) else {
        misuse("'\(name)' cannot be fetched: it is not a property of \(entity.name ?? "")")
      }
      return id
    }
    if let rows = DictionaryRows(request) {
      names = rows.properties
      result.aggregates = rows.aggregates.map { Aggregate($0, of: $1.map(property)) }
      result.propertiesToGroupBy = rows.groups.map(property)
      result.returnsDistinctResults = request.returnsDistinctResults
      // Limit and offset apply to the groups that meet the `having` predicate.
      if rows.having != nil { (result.fetchOffset, result.fetchLimit) = (0, 0) }
    }
    result.propertiesToFetch = names.map(property).sorted()
    if !result.groupsWhatItFetches {
      misuse(DictionaryRows.ungrouped)
    }
    return result
  }

  /// Returns the sort descriptors that the engine applies. Returns an empty array if the engine
  /// cannot apply one of them, and the results are sorted in memory.
  private func engineDescriptors<Result>(
    of request: NSFetchRequest<Result>, _ entity: EntityID, isList: Bool
  ) -> [FetchRequest.SortDescriptor] {
    let descriptors = request.sortDescriptors ?? []
    if descriptors.contains(where: { isList ? $0.isBeyondLists : $0.isBeyondStores }) {
      guard
        request.fetchLimit == 0 && request.fetchOffset == 0
          || request.resultType == .countResultType
      else {
        misuse(
          "a fetch limit or offset is not simulated with a sort by a custom method")
      }
      return []
    }
    return descriptors.map { descriptor in
      var (path, owner): ([PropertyID], EntityID) = ([], entity)
      for key in descriptor.attributeName.split(separator: ".").map(String.init) {
        guard let property = run.model[owner].property(named: key) else {
          misuse("the entity \(run.model[owner].name) has no property '\(key)' to sort by")
        }
        if run.model[owner][property].isToMany {
          misuse("a sort descriptor leads through the to-many relationship '\(key)'")
        }
        path.append(property)
        owner = run.model.destination(of: property, from: owner)
      }
      return FetchRequest.SortDescriptor(
        property: path[0], furtherKeys: Array(path.dropFirst()), ascending: descriptor.ascending)
    }
  }

  /// Returns a value as dictionary results contain it. A to-one relationship is represented by an
  /// object ID.
  func stored(_ value: Value, _ property: Property) -> Any? {
    if property.relationship == nil { return plain(value, property) }
    return value.objectID.map { NSManagedObjectID($0, state) }
  }

  private func dictionary(_ row: [PropertyValue], of entity: EntityID) -> [String: Any] {
    var values: [String: Any] = [:]
    for item in row {
      let property = state.property(item.property, of: entity)
      values[property.name] = stored(item.value, property)
    }
    return values
  }
}
