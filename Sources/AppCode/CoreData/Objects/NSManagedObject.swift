public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// An object of an entity, which represents a row of a store or will be saved as one.
open class NSManagedObject: NSObject {
  /// The description of the object's entity.
  public let entity: NSEntityDescription
  /// The object's context. It is `nil` before the insertion, after the context was deallocated, and
  /// after the context saved the object's deletion (LC-17).
  open var managedObjectContext: NSManagedObjectContext? {
    instance == nil || isRegistered ? owner : nil
  }
  private(set) weak var owner: NSManagedObjectContext?

  let state = RunState.current
  private let number: Int
  private var instance: HeldInstance?
  private var lastID: ObjectID?
  /// The values of an object before it is inserted into a context.
  private(set) var looseValues: [String: Any] = [:]
  /// The keys between `willChangeValue` and `didChangeValue`. The property below holds those keys
  /// whose primitive values were set.
  private(set) var changingKeys: [String] = []
  private var primitiveChanges: Set<String> = []
  /// The primitive values of relationships that were set between `willChangeValue` and
  /// `didChangeValue`.
  private var primitiveRelations: [String: Any?] = [:]
  /// The key path that leads to a probe object, with a dot at the end. A probe is only read to find
  /// out which keys a property reads.
  var probePath = ""
  /// A Boolean value that indicates whether the running lifecycle method changed the object.
  var isChangedByHook = false
  /// The publisher that module Combine creates for the object's changes.
  package var willChangePublisher: AnyObject?
  /// The observation that notifies the publisher.
  var changeObservation: NSKeyValueObservation?

  /// Creates an object and inserts it into `context`. Subclasses only call `super` here.
  public required init(
    entity: NSEntityDescription, insertInto context: NSManagedObjectContext?
  ) {
    self.entity = entity
    state.objectCount += 1
    number = state.objectCount
    super.init()
    if type(of: self) != NSManagedObject.self { state.use(type(of: self)) }
    state.run.keepAlive(self)
    if let context { begin(in: context) }
  }

  /// Creates an object of the entity whose class this is.
  public required convenience init(context: NSManagedObjectContext) {
    let model = context.persistentStoreCoordinator?.managedObjectModel
    guard let entity = model?.entity(of: Self.self) else {
      misuse("the model of the context has no entity whose class is \(Self.self)")
    }
    self.init(entity: entity, insertInto: context)
  }

  /// Traps, because a managed object needs an entity.
  public convenience override init() {
    misuse("\(Self.self)() does not call a designated initializer of NSManagedObject")
  }

  /// Returns the entity whose class this is, in a model of the run.
  open class func entity() -> NSEntityDescription {
    guard let entity = RunState.current.entity(of: self) else {
      misuse("no model of the run has an entity whose class is \(self)")
    }
    return entity
  }

  /// Returns a request for objects of this class.
  @_disfavoredOverload
  open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    NSFetchRequest(entityName: entity().name ?? "")
  }

  /// Returns the name of the class, with its module.
  open class func description() -> String { String(reflecting: self) }

  /// The number of the object in order of creation. No address may affect the order of a set.
  open override var hash: Int { number }

  deinit {
    guard let instance else { return }
    state.run.release(instance)
    if let lastID { owner?.instances.forget(lastID) }
  }

  // MARK: The engine's instance

  var handle: HeldInstance {
    guard let instance else { misuse("an object that belongs to no context is used") }
    return instance
  }

  /// Inserts the object into a context, with the values that were set before.
  func begin(in context: NSManagedObjectContext) {
    let name = state.run.makeName()
    let entity = state.id(of: entity)
    owner = context
    instance = HeldInstance(context.id, name)
    context.onQueue {
      context.beingInserted = self
      let events = state.run.perform(.insert(entity, as: name), in: context.id)
      context.beingInserted = nil
      context.report(events, about: self)
      if let id = state.run.read({ $0.heldID(context.id, name) }) { context.instances[id] = self }
      for (key, value) in looseValues.sorted(by: { $0.key < $1.key }) {
        setValue(value, forKey: key)
      }
      looseValues = [:]
    }
  }

  /// Releases the engine's instance, because the requested object does not exist.
  func releaseInstance() {
    guard let instance, let context = owner else { return }
    state.run.perform(.release(instance.name), in: context.id)
    self.instance = nil
    owner = nil
  }

  /// Connects the object to the engine's instance of an existing object.
  func begin(in context: NSManagedObjectContext, holding id: ObjectID) {
    owner = context
    instance = HeldInstance(context.id, state.run.hold(id, in: context.id))
    let known = state.run.read { $0.heldID(context.id, handle.name) } ?? id
    context.instances[known] = self
    lastID = known
  }

  /// The object ID, which is temporary until a save or `obtainPermanentIDs` assigns a permanent ID.
  open var objectID: NSManagedObjectID {
    guard let instance,
      let id = state.run.read({ $0.heldID(instance.context, instance.name) })
    else { misuse("an object that belongs to no context has no ID") }
    lastID = id
    return NSManagedObjectID(id, state)
  }

  /// A Boolean value that indicates whether the context still contains the object.
  var isRegistered: Bool {
    guard let instance else { return false }
    return state.run.read { $0.isRegistered(instance.name, in: instance.context) }
  }

  /// The values that the object shows, or `nil` if it is a fault or in no context.
  var shownValues: InstanceView? { view.flatMap { $0.isFault ? nil : $0 } }

  private var view: InstanceView? {
    guard let instance else { return nil }
    return state.run.read { $0.heldInstance(instance.context, instance.name) }
  }

  /// A Boolean value that indicates whether a save will insert the object.
  open var isInserted: Bool { view?.isInserted ?? false }
  /// A Boolean value that indicates whether a save will update the object.
  open var isUpdated: Bool { view?.isUpdated ?? false }
  /// A Boolean value that indicates whether a save will delete the object.
  open var isDeleted: Bool { view?.isDeleted ?? false }
  /// A Boolean value that indicates whether the values of the object are not loaded yet.
  open var isFault: Bool { view?.isFault ?? (instance != nil) }
  /// A Boolean value that indicates whether the object has unsaved changes.
  open var hasChanges: Bool { isInserted || isUpdated || isDeleted }

  // MARK: Key-value coding

  /// Returns the value of a property: an attribute value, an object, a set or `nil`. Fires a fault.
  open func value(forKey key: String) -> Any? {
    if let value = computedValue(forKey: key) { return value }
    if state.isProbing {
      state.noteProbe(of: probePath + key)
      return read(key)
    }
    if owner != nil, let property = declaredProperty(key) { return read(key, property) }
    if let value = fetchedValue(forKey: key) ?? valueBesideProperties(forKey: key) { return value }
    return owner == nil ? read(key) : value(forUndefinedKey: key)
  }

  /// Called for a key that is not a property of the entity. Traps.
  open func value(forUndefinedKey key: String) -> Any? { misuse(undefined(key)) }

  /// Returns the value of a property that the class computes, or `nil` if there is no such
  /// property. Prepared sources override this method for computed `@objc` properties.
  open func computedValue(forKey key: String) -> Any?? { nil }

  private func read(_ key: String, _ known: (PropertyID, Property)? = nil) -> Any? {
    guard let context = owner else {
      // An object whose context was deallocated has no values.
      return instance == nil
        ? looseValues[key] ?? entity.attributesByName[key]?.defaultValue : nil
    }
    let (id, property) = known ?? property(key)
    if let last = valuesOfDeletion {
      return property.isToMany ? context.members([], property) : last[key]
    }
    let events = context.act(.get(handle.name, id))
    context.report(events, about: self)
    for event in events.reversed() {
      switch event {
      case .value(let value): return context.plain(value, property)
      case .collection(let ids): return context.members(ids, property)
      default: continue
      }
    }
    return nil
  }

  /// Sets the value of a property and records a change, even if the value is equal (CT-01).
  open func setValue(_ value: Any?, forKey key: String) {
    guard owner != nil else { return looseValues[key] = value }
    guard let property = declaredProperty(key) else {
      return setValue(value, forUndefinedKey: key)
    }
    set(value, key, property)
  }

  /// Called for a key that is not a property of the entity. Traps.
  open func setValue(_ value: Any?, forUndefinedKey key: String) { misuse(undefined(key)) }

  /// Returns the primitive value of a property, without calling overrides of `value(forKey:)`.
  open func primitiveValue(forKey key: String) -> Any? { primitiveRelations[key] ?? read(key) }

  /// Sets an attribute without recording a change (CT-06). A relationship can only be set between
  /// `willChangeValue` and `didChangeValue`, which records the change and sets the inverse.
  open func setPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let context = owner else { return looseValues[key] = value }
    let (id, property) = property(key)
    guard let attribute = property.attribute else {
      guard changingKeys.contains(key) else {
        misuse(
          "setPrimitiveValue of relationship '\(key)' is not simulated without willChangeValue")
      }
      primitiveRelations[key] = .some(value)
      primitiveChanges.insert(key)
      return
    }
    context.act(.setPrimitive(handle.name, id, state.value(of: value, attribute.type)))
    if changingKeys.contains(key) { primitiveChanges.insert(key) }
  }

  /// Fires a fault if `key` is `nil`. Otherwise has no effect, because values are loaded on access.
  open func willAccessValue(forKey key: String?) {
    if key == nil, let context = owner, isFault, !entity.allProperties.isEmpty {
      // Any property fires the fault.
      context.act(.get(handle.name, PropertyID(0)))
    }
  }
  /// Has no effect.
  open func didAccessValue(forKey key: String?) {}

  /// Begins a change of a primitive value, which `didChangeValue` ends.
  open func willChangeValue(forKey key: String) {
    changingKeys.append(key)
    state.announceChange(of: key, in: self)
  }

  /// Ends a change. Records a primitive value that was set as a change of the property (CT-06) and
  /// notifies observers.
  open func didChangeValue(forKey key: String) {
    guard let place = changingKeys.lastIndex(of: key) else { return }
    guard owner != nil, primitiveChanges.remove(key) != nil else {
      changingKeys.remove(at: place)
      return state.tellKeyValueObservers(of: key, in: self)
    }
    // Read the value before the change ends, so that observers are called only once.
    let value = primitiveRelations.removeValue(forKey: key) ?? read(key)
    changingKeys.remove(at: place)
    set(value, key, property(key))
  }

  /// Begins a change of a to-many relationship, as `willChangeValue(forKey:)` does.
  open func willChangeValue(
    forKey key: String, withSetMutation kind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) { willChangeValue(forKey: key) }

  /// Ends a change of a to-many relationship.
  open func didChangeValue(
    forKey key: String, withSetMutation kind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) { didChangeValue(forKey: key) }

  // MARK: Hooks

  /// Called after an undo, rollback, refresh or merge policy restored earlier values (LC-07).
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
  /// Called once after the object was inserted (LC-01).
  open func awakeFromInsert() {}
  /// Called after a fault was fired (LC-05).
  open func awakeFromFetch() {}
  /// Called by `delete` (LC-12).
  open func prepareForDeletion() {}
  /// Called by a save before validation, again after each round that changes the object (LC-09).
  open func willSave() {}
  /// Called after a save.
  open func didSave() {}
  /// Called before the values are released.
  open func willTurnIntoFault() {}
  /// Called after the values were released.
  open func didTurnIntoFault() {}

  /// Has no effect. Observers of a computed property observe the keys that its getter reads.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

  /// A Boolean value that indicates whether changes outside the model leave the object unchanged.
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  // MARK: Validation

  /// Throws an error if the model or a method such as `validateTitle(_:)` rejects a value of a
  /// property. A save also calls overrides of this method.
  open func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    if owner?.isAskingOverrides != true { try validateByModel(value.pointee, key) }
    try validateProperty(value, forKey: key)
  }

  /// The properties that `validateProperty` validates. Prepared sources override this property.
  open class var validatedKeys: [String] { [] }

  /// A Boolean value that indicates whether the class overrides `validateValue`, so that a save
  /// calls it for every property. Prepared sources override this property.
  open class var validatesAllKeys: Bool { false }

  /// Calls the validation method of the class for a property, if it exists. Prepared sources
  /// override this method.
  open func validateProperty(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {}

  /// Throws an error if a save would reject the inserted object. A save calls overrides of this
  /// method before its own validation.
  open func validateForInsert() throws { try validate(.forInsert) }

  /// Throws an error if a save would reject the changes of the object.
  open func validateForUpdate() throws { try validate(.forUpdate) }

  /// Throws an error if a save would reject the deletion of the object.
  open func validateForDelete() throws { try validate(.forDelete) }
}
