public import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// What a fetch can answer with.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// What a fetch answers with.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// From bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Objects.
  public static let managedObjectResultType = NSFetchRequestResultType([])
  /// IDs of objects.
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  /// What stores have of the properties to fetch, as dictionaries (FE-04).
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
  /// How many objects there are.
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// Which objects to find. `ResultType` is open: on Linux `any NSFetchRequestResult` is no
/// `NSFetchRequestResult`.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The name of the entity.
  public let entityName: String?
  /// The entity, if it was given.
  open var entity: NSEntityDescription?
  /// Which objects; nil for all.
  open var predicate: NSPredicate?
  /// The order of the answer.
  open var sortDescriptors: [NSSortDescriptor]?
  /// The greatest number of objects; 0 for all.
  open var fetchLimit = 0
  /// How many objects to leave out at the beginning.
  open var fetchOffset = 0
  /// Of no effect: batches save memory.
  open var fetchBatchSize = 0
  /// Whether unsaved changes of the context count.
  open var includesPendingChanges = true
  /// Whether objects of entities that inherit count, too.
  open var includesSubentities = true
  /// Whether the objects are answered as faults.
  open var returnsObjectsAsFaults = true
  /// Whether values that were not changed are taken anew (FL-07).
  open var shouldRefreshRefetchedObjects = false
  /// What is answered.
  open var resultType = NSFetchRequestResultType.managedObjectResultType
  /// What dictionaries hold: names or descriptions of properties, or of values to be computed; nil
  /// for all attributes (FP-A4).
  open var propertiesToFetch: [Any]?
  /// Which rows are one dictionary: those that agree on these properties.
  open var propertiesToGroupBy: [Any]?
  /// Which groups are answered, by their properties and what is computed of them; a value that has
  /// a description may also be written as a variable of its name.
  open var havingPredicate: NSPredicate?
  /// Whether equal dictionaries are answered once.
  open var returnsDistinctResults = false
  /// Of no effect: the values of objects are loaded when they are read.
  open var includesPropertyValues = true
  /// Of no effect: relationships are loaded when they are read.
  open var relationshipKeyPathsForPrefetching: [String]?

  /// A request for objects of the entity of this name.
  public init(entityName: String, file: String = #fileID) {
    self.entityName = entityName
    RunState.ifRunning?.noteCaller(file)
  }

  /// A request whose entity is set later.
  public override init() { entityName = nil }

  /// The same request for another type of result.
  func cast<Other>(to type: NSFetchRequest<Other>.Type) -> NSFetchRequest<Other> {
    if let request = self as? NSFetchRequest<Other> { return request }
    return copied(to: type)
  }

  /// A request of its own that asks the same.
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

  /// Another request that asks the same.
  open override func copy(with zone: NSZone? = nil) -> Any {
    copied(to: NSFetchRequest<ResultType>.self)
  }

  /// Carries out the request in the context whose block calls. Traps outside of such a block.
  open func execute() throws -> [ResultType] {
    guard let context = RunState.current.currentContexts.last else {
      misuse("a request is executed outside of a context's block")
    }
    return try context.fetch(self)
  }
}

extension NSManagedObjectContext {
  /// Carries out a request. Throws if the coordinator has no store.
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    guard isOfApp else { return try found(by: request) }
    noteType(Result.self)
    let request = request.cast(to: NSFetchRequest<any NSFetchRequestResult>.self)
    let method: (NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] = fetch
    return answers(try method(request), as: Result.self)
  }

  /// A Boolean value that indicates whether an app's class may override the methods below.
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
        misuse("the request answers with \(type(of: item)), not \(Result.self)")
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

  /// The engine has filled them, but no code held them: they are faults again.
  private func filled<Result>(
    _ objects: [NSManagedObject], _ request: NSFetchRequest<Result>
  ) -> [NSManagedObject] {
    if !request.returnsObjectsAsFaults {
      for object in objects where object.isFault { object.willAccessValue(forKey: nil) }
    }
    return objects
  }

  /// How many objects a request would find.
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
      misuse("a request for '\(request.entityName ?? "")', which is no entity of the model")
    }
    var result = FetchRequest(entity: state.id(of: entity))
    if let predicate = request.predicate {
      (result.predicate, result.tree) = Format.of(predicate).parts(of: result.entity, self)
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
        misuse("'\(name)' cannot be fetched: it is no property of \(entity.name ?? "")")
      }
      return id
    }
    if let rows = DictionaryRows(request) {
      names = rows.properties
      result.aggregates = rows.aggregates.map { Aggregate($0, of: $1.map(property)) }
      result.propertiesToGroupBy = rows.groups.map(property)
      result.returnsDistinctResults = request.returnsDistinctResults
      // The window is cut out of the groups that are left.
      if rows.having != nil { (result.fetchOffset, result.fetchLimit) = (0, 0) }
    }
    result.propertiesToFetch = names.map(property).sorted()
    if !result.groupsWhatItFetches {
      misuse(DictionaryRows.ungrouped)
    }
    return result
  }

  /// What stores sort by: nothing if they cannot.
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
          "a list that is sorted by a method has neither limit nor offset here")
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
          misuse("a sort over the to-many relationship '\(key)'")
        }
        path.append(property)
        owner = run.model.destination(of: property, from: owner)
      }
      return FetchRequest.SortDescriptor(
        property: path[0], furtherKeys: Array(path.dropFirst()), ascending: descriptor.ascending)
    }
  }

  /// As dictionaries have it: what a to-one relationship leads to as an ID.
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
