@testable import CoreDataSwift
import Foundation
import MIOCore

/// MIOCoreData, an implementation in Swift, on a custom store. MIOCoreData's users write a store,
/// too, and its own store in memory keeps no rows for other contexts.
final class MIOCoreData: Implementation {
  typealias Object = NSManagedObject

  static let capabilities = [
    "name MIOCoreData",
    "steps insert get set increment relate add remove replace delete fetch count existingObject "
      + "save refresh rollback changedValues hasChanges",
    "contexts 2",
    "policies error",
    "rows",
  ]

  private let entities: [EntityDeclaration]
  private let coordinator: NSPersistentStoreCoordinator
  private let store: RowStore
  private var contexts: [NSManagedObjectContext] = []
  private var flagKeys: Set<String> = []

  init(_ entities: [EntityDeclaration], _ contexts: [ContextDeclaration]) {
    self.entities = entities
    let model = NSManagedObjectModel()
    for entity in entities {
      _MIOCoreRegisterClass(type: NSManagedObject.self, forKey: entity.name)
      let description = NSEntityDescription(
        entityName: entity.name, parentEntity: nil, isAbstract: entity.isAbstract ? "yes" : "no",
        managedObjectModel: model)
      description.parentEntityName = entity.parent
      for attribute in entity.attributes {
        if attribute.type == "boolean" { flagKeys.insert(attribute.name) }
        MIOCoreData.add(attribute, to: description)
      }
      for relationship in entity.relationships { MIOCoreData.add(relationship, to: description) }
      model.setEntities([description], forConfigurationName: "Default")
    }
    var byName: [String: NSEntityDescription] = [:]
    for entity in model.entities { byName[entity.name ?? ""] = entity }
    model._entitiesByName = byName
    for entity in model.entities { entity.build() }
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    NSPersistentStoreCoordinator.registerStoreClass(RowStore.self, forStoreType: "RowStore")
    guard
      let store = try? coordinator.addPersistentStore(
        ofType: "RowStore", configurationName: nil, at: nil) as? RowStore
    else { fatalError("no store can be added") }
    self.store = store
    for _ in contexts { self.contexts.append(makeContext()) }
  }

  private func makeContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private static func add(
    _ attribute: EntityDeclaration.Attribute, to description: NSEntityDescription
  ) {
    let types: [String: NSAttributeType] = [
      "string": .stringAttributeType, "integer16": .integer16AttributeType,
      "integer32": .integer32AttributeType, "integer64": .integer64AttributeType,
    ]
    let value: Any? =
      switch attribute.defaultValue {
      case .integer(let number): number
      case .flag(let flag): flag
      case .text(let text): text
      default: nil
      }
    description.addAttribute(
      name: attribute.name, type: types[attribute.type] ?? .booleanAttributeType,
      defaultValue: value, optional: attribute.isOptional, transient: false)
  }

  private static func add(
    _ relationship: EntityDeclaration.Relationship, to description: NSEntityDescription
  ) {
    let rules: [String: NSDeleteRule] = [
      "noAction": .noActionDeleteRule, "nullify": .nullifyDeleteRule,
      "cascade": .cascadeDeleteRule, "deny": .denyDeleteRule,
    ]
    description.addRelationship(
      name: relationship.name, destinationEntityName: relationship.destination,
      toMany: relationship.isToMany, optional: relationship.isOptional,
      inverseName: relationship.inverse,
      inverseEntityName: relationship.inverse == nil ? nil : relationship.destination,
      deleteRule: rules[relationship.deleteRule] ?? .nullifyDeleteRule)
  }

  // MARK: Objects

  func isSame(_ a: Object, _ b: Object) -> Bool {
    a === b || a.objectID.uriRepresentation() == b.objectID.uriRepresentation()
  }

  func entityName(of object: Object) -> String { object.entity.name ?? "" }

  func insert(_ entity: String, in context: Int) -> Object {
    NSEntityDescription.insertNewObject(forEntityName: entity, into: contexts[context])
  }

  private func plain(_ value: Any?, _ key: String) -> PlainValue<Object> {
    switch value {
    case nil, is NSNull: .null
    case let object as Object: .object(object)
    case let objects as Set<Object>: .objects(Array(objects))
    case let text as String: .text(text)
    case let flag as Bool where flagKeys.contains(key): .flag(flag)
    case let number as Int64: .integer(number)
    case let some?: .unknown("\(some)")
    }
  }

  private func any(_ value: PlainValue<Object>) -> Any? {
    switch value {
    case .integer(let number): number
    case .flag(let flag): flag
    case .text(let text): text
    case .object(let object): object
    case .objects(let objects): Set(objects)
    case .null, .unknown: nil
    }
  }

  func value(_ key: String, of object: Object) -> PlainValue<Object> {
    plain(object.value(forKey: key), key)
  }

  func set(_ key: String, of object: Object, to value: PlainValue<Object>) {
    object.setValue(any(value), forKey: key)
  }

  func add(_ other: Object, to key: String, of object: Object) {
    object._addObject(other, forKey: key)
  }

  func remove(_ other: Object, from key: String, of object: Object) {
    object._removeObject(other, forKey: key)
  }

  func delete(_ object: Object, in context: Int) { contexts[context].delete(object) }

  func changedValues(of object: Object) -> [(key: String, value: PlainValue<Object>)] {
    object.changedValues().map { ($0.key, plain($0.value, $0.key)) }
  }

  func flags(of object: Object) -> String {
    (object.isInserted ? "I" : "") + (object.isUpdated ? "U" : "") + (object.isDeleted ? "D" : "")
  }

  func hasChanges(_ context: Int) -> Bool { contexts[context].hasChanges }

  // MARK: Contexts

  func fetch(_ request: Request<Object>, in context: Int) -> Outcome<[Object]> {
    fetch(request, contexts[context])
  }

  private func fetch(
    _ request: Request<Object>, _ context: NSManagedObjectContext
  ) -> Outcome<[Object]> {
    store.request = request
    let fetch = NSFetchRequest<NSManagedObject>(entityName: request.entity)
    fetch.includesPendingChanges = request.includesPendingChanges
    fetch.includesSubentities = request.includesSubentities
    let operators: [String: MIOComparisonPredicate.Operator] = [
      "==": .equalTo, "!=": .notEqualTo, "<": .lessThan, ">": .greaterThan,
    ]
    if !request.comparisons.isEmpty {
      fetch.predicate = MIOCompoundPredicate(
        andPredicateWithSubpredicates: request.comparisons.map { comparison in
          MIOComparisonPredicate(
            leftExpression: MIOExpression(forKeyPath: comparison.key),
            rightExpression: MIOExpression(forConstantValue: any(comparison.value)),
            modifier: .direct, type: operators[comparison.relation] ?? .equalTo, options: [])
        })
    }
    guard let found = try? context.fetch(fetch) else { return .failure("other") }
    return .success(found)
  }

  func existingObject(withIDOf other: Object, in context: Int) -> Outcome<Object?> {
    guard let found = try? contexts[context].existingObject(with: other.objectID) else {
      return .failure("missing")
    }
    return .success(found)
  }

  func save(_ context: Int) -> Outcome<Void> {
    do {
      try contexts[context].save()
      return .success(())
    } catch is NSManagedObjectValidationError {
      return .failure("validation")
    } catch {
      return .failure("other")
    }
  }

  func refresh(_ object: Object, mergeChanges: Bool, in context: Int) {
    contexts[context].refresh(object, mergeChanges: mergeChanges)
  }

  func rollback(_ context: Int) { contexts[context].rollback() }

  func storedObjects() -> [Object] {
    let context = makeContext()
    kept.append(context)
    return entities.filter { $0.parent == nil }.flatMap { entity -> [Object] in
      let request = Request<Object>(
        entity: entity.name, includesSubentities: true, includesPendingChanges: true,
        comparisons: [])
      if case .success(let objects) = fetch(request, context) { return objects }
      return []
    }
  }

  /// Contexts whose objects are still inspected.
  private var kept: [NSManagedObjectContext] = []

  // MARK: What it has not, or does at once

  func begin(step: Int) {}
  func processPendingChanges(_ context: Int) {}
  func reset(_ context: Int) { contexts[context].reset() }
  func merge(save: Int, into context: Int) -> Bool { false }
  func detectConflicts(_ object: Object, in context: Int) {}
  func validate(_ object: Object, _ validation: String) -> Outcome<Void> { .failure("other") }
  func obtainPermanentIDs(_ objects: [Object], in context: Int) -> Outcome<Void> {
    .failure("other")
  }
  func object(withIDOf other: Object, in context: Int) -> Outcome<Object?> { .failure("other") }
  func registeredObject(withIDOf other: Object, in context: Int) -> Outcome<Object?> {
    .failure("other")
  }
}

@main
enum MIOCoreDataAdapter {
  static func main() { AdapterLoop<MIOCoreData>.main() }
}
