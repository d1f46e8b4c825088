import Glibc

/// FreeCoreData, an implementation in Objective-C on GNUstep. `OTHERS_LIBRARIES` names the runtime,
/// GNUstep's base library and FreeCoreData's own, divided by colons. `OTHERS_STORES` is the folder
/// for stores. `OTHERS_STORE_TYPE` is the type of store, by default `NSSQLiteStoreType`.
final class FreeCoreData: Implementation {
  typealias Object = UnsafeMutableRawPointer

  static let capabilities = [
    "name FreeCoreData",
    "steps insert get set increment relate add remove replace delete fetch count object "
      + "existingObject registeredObject save refresh reset rollback processPendingChanges "
      + "obtainPermanentIDs validate changedValues hasChanges mergeChanges detectConflicts",
    "contexts 3",
    "policies error mergeByPropertyStoreTrump mergeByPropertyObjectTrump overwrite rollback",
    "rows",
  ]

  let runtime: ObjectiveC
  let entities: [EntityDeclaration]
  private var coordinator: ObjectiveC.ID = nil
  var contexts: [ObjectiveC.ID] = []
  private var descriptions: [String: ObjectiveC.ID] = [:]
  /// The attributes that hold a flag, which is a number like any other to Foundation.
  private var flagKeys: Set<String> = []
  var step = 0
  var notifications: [Int: ObjectiveC.ID] = [:]
  /// The notifications posted since the step began. An observer's method can only reach a global.
  nonisolated(unsafe) static var posted: ObjectiveC.ID = nil
  nonisolated(unsafe) fileprivate static var loaded: ObjectiveC?

  init(_ entities: [EntityDeclaration], _ contexts: [ContextDeclaration]) {
    let paths = getenv("OTHERS_LIBRARIES").map { String(cString: $0) } ?? ""
    runtime = ObjectiveC(loading: paths.split(separator: ":").map(String.init))
    FreeCoreData.loaded = runtime
    self.entities = entities
    for entity in entities {
      for attribute in entity.attributes where attribute.type == "boolean" {
        flagKeys.insert(attribute.name)
      }
    }
    _ = runtime.make("NSAutoreleasePool")
    reportExceptions()
    open()
    for context in contexts { self.contexts.append(makeContext(context.policy)) }
    observeSaves()
  }

  // MARK: Setting up

  private func reportExceptions() {
    typealias SetHandler = @convention(c) (ObjectiveC.ExceptionHandler) -> Void
    let handler: ObjectiveC.ExceptionHandler = { exception in
      if let runtime = FreeCoreData.loaded {
        answer("raised " + runtime.text(runtime.send(exception, "name")))
      }
      _exit(3)
    }
    unsafeBitCast(ObjectiveC.symbol("NSSetUncaughtExceptionHandler"), to: SetHandler.self)(handler)
  }

  private func open() {
    let model = runtime.make("NSManagedObjectModel")
    for entity in entities { descriptions[entity.name] = runtime.make("NSEntityDescription") }
    var relationships: [String: ObjectiveC.ID] = [:]
    for entity in entities {
      let description = descriptions[entity.name] ?? nil
      runtime.send(description, "setName:", runtime.string(entity.name))
      runtime.send(
        description, "setManagedObjectClassName:", runtime.string("NSManagedObject"))
      runtime.send(description, "setAbstract:", runtime.number(entity.isAbstract ? 1 : 0))
      var properties = entity.attributes.map(description(of:))
      for relationship in entity.relationships {
        let made = runtime.make("NSRelationshipDescription")
        relationships["\(entity.name).\(relationship.name)"] = made
        properties.append(made)
      }
      for (index, relationship) in entity.relationships.enumerated() {
        describe(properties[entity.attributes.count + index], relationship)
      }
      runtime.send(description, "setProperties:", runtime.array(properties))
    }
    for entity in entities {
      for relationship in entity.relationships {
        guard let inverse = relationship.inverse else { continue }
        runtime.send(
          relationships["\(entity.name).\(relationship.name)"] ?? nil, "setInverseRelationship:",
          relationships["\(relationship.destination).\(inverse)"] ?? nil)
      }
      let children = entities.filter { $0.parent == entity.name }
      runtime.send(
        descriptions[entity.name] ?? nil, "setSubentities:",
        runtime.array(children.map { descriptions[$0.name] ?? nil }))
    }
    runtime.send(
      model, "setEntities:", runtime.array(entities.map { descriptions[$0.name] ?? nil }))
    addStore(to: model)
  }

  private func addStore(to model: ObjectiveC.ID) {
    coordinator = runtime.send(
      runtime.send("alloc", toClass: "NSPersistentStoreCoordinator"),
      "initWithManagedObjectModel:", model)
    let folder = getenv("OTHERS_STORES").map { String(cString: $0) } ?? "/tmp"
    let path = "\(folder)/others-\(getpid()).store"
    let type = getenv("OTHERS_STORE_TYPE").map { String(cString: $0) } ?? "NSSQLiteStoreType"
    unlink(path)
    let url = runtime.send("fileURLWithPath:", toClass: "NSURL", runtime.string(path))
    let store = runtime.send(
      coordinator, "addPersistentStoreWithType:configuration:URL:options:error:",
      ObjectiveC.global(type), nil, url, nil, nil)
    guard store != nil else { fatalError("no store can be made at \(path)") }
  }

  private func description(of attribute: EntityDeclaration.Attribute) -> ObjectiveC.ID {
    let made = runtime.make("NSAttributeDescription")
    runtime.send(made, "setName:", runtime.string(attribute.name))
    runtime.send(made, "setOptional:", runtime.number(attribute.isOptional ? 1 : 0))
    let types = ["integer16": 100, "integer32": 200, "integer64": 300, "string": 700]
    runtime.send(made, "setAttributeType:", runtime.number(types[attribute.type] ?? 800))
    switch attribute.defaultValue {
    case .integer(let number): runtime.send(made, "setDefaultValue:", self.number(number))
    case .flag(let flag): runtime.send(made, "setDefaultValue:", self.number(flag ? 1 : 0))
    case .text(let text): runtime.send(made, "setDefaultValue:", runtime.string(text))
    default: break
    }
    return made
  }

  private func describe(
    _ made: ObjectiveC.ID, _ relationship: EntityDeclaration.Relationship
  ) {
    runtime.send(made, "setName:", runtime.string(relationship.name))
    runtime.send(made, "setOptional:", runtime.number(relationship.isOptional ? 1 : 0))
    runtime.send(made, "setMaxCount:", runtime.number(relationship.isToMany ? 0 : 1))
    let rules = ["noAction", "nullify", "cascade", "deny"]
    runtime.send(
      made, "setDeleteRule:",
      runtime.number(rules.firstIndex(of: relationship.deleteRule) ?? 1))
    runtime.send(
      made, "setDestinationEntity:", descriptions[relationship.destination] ?? nil)
  }

  func makeContext(_ policy: String) -> ObjectiveC.ID {
    let context = runtime.make("NSManagedObjectContext")
    runtime.send(context, "setPersistentStoreCoordinator:", coordinator)
    // Faultline's contexts have no undo manager unless the stack declares one.
    runtime.send(context, "setUndoManager:", nil)
    let globals = [
      "mergeByPropertyStoreTrump": "NSMergeByPropertyStoreTrumpMergePolicy",
      "mergeByPropertyObjectTrump": "NSMergeByPropertyObjectTrumpMergePolicy",
      "overwrite": "NSOverwriteMergePolicy", "rollback": "NSRollbackMergePolicy",
    ]
    runtime.send(
      context, "setMergePolicy:", ObjectiveC.global(globals[policy] ?? "NSErrorMergePolicy"))
    return context
  }

  private func observeSaves() {
    let observer = runtime.observer("didSave:") { _, _, notification in
      // The notification lives no longer than the call.
      FreeCoreData.posted = FreeCoreData.loaded?.send(notification, "retain") ?? nil
    }
    let center = runtime.send("defaultCenter", toClass: "NSNotificationCenter")
    runtime.send(
      center, "addObserver:selector:name:object:", observer, runtime.selector("didSave:"),
      ObjectiveC.global("NSManagedObjectContextDidSaveNotification"), nil)
  }

  // MARK: Values

  private func number(_ value: Int64) -> ObjectiveC.ID {
    runtime.send(
      "numberWithLongLong:", toClass: "NSNumber", runtime.number(Int(value)))
  }

  func object(_ value: PlainValue<Object>) -> ObjectiveC.ID {
    switch value {
    case .integer(let number): self.number(number)
    case .flag(let flag): self.number(flag ? 1 : 0)
    case .text(let text): runtime.string(text)
    case .object(let object): object
    case .objects(let objects): runtime.set(objects)
    case .null, .unknown: nil
    }
  }

  private func plain(_ value: ObjectiveC.ID, _ key: String) -> PlainValue<Object> {
    guard let value, !runtime.isKind(value, of: "NSNull") else { return .null }
    if runtime.isKind(value, of: "NSString") { return .text(runtime.text(value)) }
    if runtime.isKind(value, of: "NSNumber") {
      let number = Int64(Int(bitPattern: runtime.send(value, "longLongValue")))
      return flagKeys.contains(key) ? .flag(number != 0) : .integer(number)
    }
    if runtime.isKind(value, of: "NSManagedObject") { return .object(value) }
    if runtime.isKind(value, of: "NSSet") {
      return .objects(runtime.elements(runtime.send(value, "allObjects")).compactMap { $0 })
    }
    return .unknown(runtime.text(runtime.send(value, "description")))
  }

  func retained(_ object: ObjectiveC.ID) -> Object? {
    runtime.send(object, "retain")
  }

  /// Makes a call with an error parameter, and returns the kind of error.
  func outcome<Value>(
    _ call: (ObjectiveC.ID) -> (Value, isFailure: Bool)
  ) -> Outcome<Value> {
    var error: ObjectiveC.ID = nil
    let (value, isFailure) = withUnsafeMutablePointer(to: &error) {
      call(UnsafeMutableRawPointer($0))
    }
    guard isFailure else { return .success(value) }
    guard error != nil else { return .failure("silently") }
    switch Int(bitPattern: runtime.send(error, "code")) {
    case 133020, 134050: return .failure("conflict")
    case 1550...1680: return .failure("validation")
    case 133000: return .failure("missing")
    default: return .failure("other")
    }
  }

  func succeeds(
    _ receiver: ObjectiveC.ID, _ name: String, _ argument: ObjectiveC.ID? = nil
  ) -> Outcome<Void> {
    outcome { error in
      let result =
        argument.map { runtime.send(receiver, name, $0, error) }
        ?? runtime.send(receiver, name, error)
      return ((), UInt(bitPattern: result) & 0xFF == 0)
    }
  }

  // MARK: Objects

  func isSame(_ a: Object, _ b: Object) -> Bool {
    a == b || runtime.flag(runtime.send(a, "objectID"), "isEqual:", runtime.send(b, "objectID"))
  }

  func entityName(of object: Object) -> String {
    runtime.text(runtime.send(runtime.send(object, "entity"), "name"))
  }

  func insert(_ entity: String, in context: Int) -> Object {
    let made = runtime.send(
      runtime.classObject("NSEntityDescription"),
      "insertNewObjectForEntityForName:inManagedObjectContext:", runtime.string(entity),
      contexts[context])
    guard let object = retained(made) else { fatalError("nothing was inserted") }
    return object
  }

  func value(_ key: String, of object: Object) -> PlainValue<Object> {
    plain(runtime.send(object, "valueForKey:", runtime.string(key)), key)
  }

  func set(_ key: String, of object: Object, to value: PlainValue<Object>) {
    runtime.send(object, "setValue:forKey:", self.object(value), runtime.string(key))
  }

  func add(_ other: Object, to key: String, of object: Object) {
    runtime.send(
      runtime.send(object, "mutableSetValueForKey:", runtime.string(key)), "addObject:", other)
  }

  func remove(_ other: Object, from key: String, of object: Object) {
    runtime.send(
      runtime.send(object, "mutableSetValueForKey:", runtime.string(key)), "removeObject:", other)
  }

  func delete(_ object: Object, in context: Int) {
    runtime.send(contexts[context], "deleteObject:", object)
  }

  func changedValues(of object: Object) -> [(key: String, value: PlainValue<Object>)] {
    let values = runtime.send(object, "changedValues")
    return runtime.elements(runtime.send(values, "allKeys")).map { key in
      let name = runtime.text(key)
      return (name, plain(runtime.send(values, "objectForKey:", key), name))
    }
  }

  func flags(of object: Object) -> String {
    (runtime.flag(object, "isInserted") ? "I" : "") + (runtime.flag(object, "isUpdated") ? "U" : "")
      + (runtime.flag(object, "isDeleted") ? "D" : "")
  }

  func hasChanges(_ context: Int) -> Bool { runtime.flag(contexts[context], "hasChanges") }

  func validate(_ object: Object, _ validation: String) -> Outcome<Void> {
    let names = [
      "forInsert": "validateForInsert:", "forUpdate": "validateForUpdate:",
      "forDelete": "validateForDelete:",
    ]
    return succeeds(object, names[validation] ?? "validateForUpdate:")
  }
}

@main
enum FreeCoreDataAdapter {
  static func main() { AdapterLoop<FreeCoreData>.main() }
}
