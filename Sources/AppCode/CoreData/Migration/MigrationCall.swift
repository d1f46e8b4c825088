import Foundation

/// Calls from expressions of mapping models to methods of the migration manager, policies and
/// objects.
enum MigrationCall {
  /// Calls a method and returns its result. Traps if the target has no method of this name.
  static func answer(of target: Any?, _ selector: String, _ arguments: [Any?]) -> Any? {
    switch target {
    case let manager as NSMigrationManager:
      if let answer = known(manager, selector, arguments) ?? manager.__called(selector, arguments) {
        return answer
      }
    case let policy as NSEntityMigrationPolicy:
      if let answer = policy.__called(selector, arguments) { return answer }
    case let object as NSManagedObject:
      guard let key = arguments.first as? String else { break }
      if selector == "valueForKey:" { return object.value(forKey: key) }
      if selector == "valueForKeyPath:" { return object.value(forKeyPath: key) }
    case nil: return nil
    default: break
    }
    misuse(
      "an expression calls '\(selector)' of \(target.map { "\(type(of: $0))" } ?? "nothing"): "
        + "only methods of the manager and @objc methods of a policy can be called")
  }

  private static func known(
    _ manager: NSMigrationManager, _ selector: String, _ arguments: [Any?]
  ) -> Any?? {
    guard arguments.count == 2, let name = arguments[0] as? String else { return nil }
    switch selector {
    case "destinationInstancesForEntityMappingNamed:sourceInstances:":
      return manager.destinationInstances(
        forEntityMappingName: name, sourceInstances: objects(arguments[1]))
    case "sourceInstancesForEntityMappingNamed:destinationInstances:":
      return manager.sourceInstances(
        forEntityMappingName: name, destinationInstances: objects(arguments[1]))
    case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
      return manager.destinations(of: objects(arguments[1]))
    case "fetchRequestForSourceEntityNamed:predicateString:":
      return manager.request(forSourceEntity: name, arguments[1] as? String ?? "TRUEPREDICATE")
    default: return nil
    }
  }

  /// Returns the result of `FETCH(request, context, countOnly)`.
  static func fetched(_ request: Any?, _ context: Any?, countOnly: Bool) -> Any? {
    guard let request = request as? NSFetchRequest<any NSFetchRequestResult>,
      let context = context as? NSManagedObjectContext
    else { misuse("FETCH requires a fetch request and a context") }
    let objects = request.copied(to: NSFetchRequest<NSManagedObject>.self)
    do {
      return countOnly ? try context.count(for: objects) : try context.fetch(objects)
    } catch { misuse("FETCH in an expression fails: \(error)") }
  }

  /// Returns the objects of a collection, or `nil` if the value is not a collection of managed
  /// objects only.
  static func onlyObjects(_ any: Any?) -> [NSManagedObject]? {
    let count: Int
    switch any {
    case let array as [Any]: count = array.count
    case let array as NSArray: count = array.count
    case let set as NSOrderedSet: count = set.count
    case let set as Set<NSManagedObject>: count = set.count
    case let set as NSSet: count = set.count
    default: return nil
    }
    let objects = objects(any)
    return objects.count == count ? objects : nil
  }

  /// Returns the managed objects of a result, which is an object, an array or a set.
  static func objects(_ any: Any?) -> [NSManagedObject] {
    switch any {
    case let object as NSManagedObject: [object]
    case let array as [Any]: array.compactMap { $0 as? NSManagedObject }
    case let array as NSArray: array.compactMap { $0 as? NSManagedObject }
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    case let set as Set<NSManagedObject>: set.sorted { $0.hash < $1.hash }
    case let set as NSSet:
      set.allObjects.compactMap { $0 as? NSManagedObject }.sorted { $0.hash < $1.hash }
    default: []
    }
  }
}

extension PredicateFormat {
  /// The name of the function that calls a method, as in `FUNCTION(target, "selector:", …)`.
  static let call = "FUNCTION"
  /// The name of the function that carries out a fetch request.
  static let fetch = "FETCH"
}

/// Converts an argument of a method that an expression calls to the type of the parameter. Traps if
/// the types do not match.
public func simulatedArgument<Value>(_ arguments: [Any?], _ index: Int) -> Value {
  let argument = arguments.indices.contains(index) ? arguments[index] : nil
  if let value = argument as? Value { return value }
  if let objects = MigrationCall.onlyObjects(argument) {
    if let set = NSSet(array: objects) as? Value { return set }
    if let set = Set(objects) as? Value { return set }
  }
  misuse("an expression passes \(argument ?? "nil") to a method that takes \(Value.self)")
}
