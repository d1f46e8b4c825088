public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// An object of an entity: a row of a store, or what will be one.
open class NSManagedObject: NSObject {
  /// The entity.
  public let entity: NSEntityDescription
  /// The context that it belongs to; nil before it is inserted, once the context has gone, and once
  /// the context has saved its deletion (LC-17).
  open var managedObjectContext: NSManagedObjectContext? {
    instance == nil || isRegistered ? owner : nil
  }
  private(set) weak var owner: NSManagedObjectContext?

  let state = RunState.current
  private let number: Int
  private var instance: HeldInstance?
  private var lastID: ObjectID?
  /// The values of an object that is in no context yet.
  private(set) var looseValues: [String: Any] = [:]
  /// The keys between `willChangeValue` and `didChangeValue`, and those of them whose primitive
  /// values were set.
  private(set) var changingKeys: [String] = []
  private var primitiveChanges: Set<String> = []
  /// The values of relationships among them.
  private var primitiveRelations: [String: Any?] = [:]
  /// Of an object that is asked for its keys alone: what leads to it, with a dot at the end.
  var probePath = ""
  /// Whether a hook of it has changed it through a tracked accessor.
  var isChangedByHook = false
  /// The publisher of its changes that module Combine has of it.
  package var willChangePublisher: AnyObject?
  /// Tells that publisher.
  var changeObservation: NSKeyValueObservation?

  /// A new object, which becomes part of `context`. Subclasses only call `super` here.
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

  /// A new object of the entity whose class this is.
  public required convenience init(context: NSManagedObjectContext) {
    let model = context.persistentStoreCoordinator?.managedObjectModel
    guard let entity = model?.entity(of: Self.self) else {
      misuse("the model of the context has no entity whose class is \(Self.self)")
    }
    self.init(entity: entity, insertInto: context)
  }

  /// Traps: an object is of an entity.
  public convenience override init() {
    misuse("\(Self.self)() calls no designated initializer of NSManagedObject")
  }

  /// The entity whose class this is, in a model of the run.
  open class func entity() -> NSEntityDescription {
    guard let entity = RunState.current.entity(of: self) else {
      misuse("no model of the run has an entity whose class is \(self)")
    }
    return entity
  }

  /// A request for objects of this class.
  @_disfavoredOverload
  open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    NSFetchRequest(entityName: entity().name ?? "")
  }

  /// The name of the class, with its module.
  open class func description() -> String { String(reflecting: self) }

  /// By the order in which the run's objects were made: no address decides the order of a set.
  open override var hash: Int { number }

  deinit {
    guard let instance else { return }
    state.run.release(instance)
    if let lastID { owner?.instances.forget(lastID) }
  }

  // MARK: The engine's instance

  var handle: HeldInstance {
    guard let instance else { misuse("an object is used that is in no context") }
    return instance
  }

  /// Inserts the object, with the values that it was given before.
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

  /// No longer is the instance of an object: what was looked for is not there.
  func letGo() {
    guard let instance, let context = owner else { return }
    state.run.perform(.release(instance.name), in: context.id)
    self.instance = nil
    owner = nil
  }

  /// Is the instance of an object that the context finds.
  func begin(in context: NSManagedObjectContext, holding id: ObjectID) {
    owner = context
    instance = HeldInstance(context.id, state.run.hold(id, in: context.id))
    let known = state.run.read { $0.heldID(context.id, handle.name) } ?? id
    context.instances[known] = self
    lastID = known
  }

  /// The ID: temporary until a save, or `obtainPermanentIDs`, has given it a row.
  open var objectID: NSManagedObjectID {
    guard let instance,
      let id = state.run.read({ $0.heldID(instance.context, instance.name) })
    else { misuse("an object that is in no context has no ID yet") }
    lastID = id
    return NSManagedObjectID(id, state)
  }

  /// Whether its context still has it.
  var isRegistered: Bool {
    guard let instance else { return false }
    return state.run.read { $0.isRegistered(instance.name, in: instance.context) }
  }

  /// What it shows; nil if it is a fault, or in no context.
  var shownValues: InstanceView? { view.flatMap { $0.isFault ? nil : $0 } }

  private var view: InstanceView? {
    guard let instance else { return nil }
    return state.run.read { $0.heldInstance(instance.context, instance.name) }
  }

  /// Whether a save will insert it.
  open var isInserted: Bool { view?.isInserted ?? false }
  /// Whether a save will update it.
  open var isUpdated: Bool { view?.isUpdated ?? false }
  /// Whether a save will delete it.
  open var isDeleted: Bool { view?.isDeleted ?? false }
  /// Whether its values are still to be loaded.
  open var isFault: Bool { view?.isFault ?? (instance != nil) }
  /// Whether anything of it is unsaved.
  open var hasChanges: Bool { isInserted || isUpdated || isDeleted }

  // MARK: Key-value coding

  /// The value of a property: nil, an attribute's value, an object, or a set. Fires a fault.
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

  /// Called for a key that the entity has no property for. Traps.
  open func value(forUndefinedKey key: String) -> Any? { misuse(undefined(key)) }

  /// The value of a property that the class computes; nil if it has none of this name. Overridden
  /// in prepared sources, for the computed properties that are `@objc` there.
  open func computedValue(forKey key: String) -> Any?? { nil }

  private func read(_ key: String, _ known: (PropertyID, Property)? = nil) -> Any? {
    guard let context = owner else {
      // Of a context that has gone, an object keeps nothing.
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

  /// Sets the value of a property, which is noted as a change, be it equal (CT-01).
  open func setValue(_ value: Any?, forKey key: String) {
    guard owner != nil else { return looseValues[key] = value }
    guard let property = declaredProperty(key) else {
      return setValue(value, forUndefinedKey: key)
    }
    set(value, key, property)
  }

  /// Called for a key that the entity has no property for. Traps.
  open func setValue(_ value: Any?, forUndefinedKey key: String) { misuse(undefined(key)) }

  /// The value, whatever a class makes of `value(forKey:)`.
  open func primitiveValue(forKey key: String) -> Any? { primitiveRelations[key] ?? read(key) }

  /// Sets an attribute without noting a change (CT-06). A relationship can only be set between
  /// `willChangeValue` and `didChangeValue`, which notes the change and sets the inverse.
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

  /// Fires a fault if `key` is nil; else of no effect: values are there when they are read.
  open func willAccessValue(forKey key: String?) {
    if key == nil, let context = owner, isFault, !entity.allProperties.isEmpty {
      // Any property fires the fault.
      context.act(.get(handle.name, PropertyID(0)))
    }
  }
  /// Of no effect.
  open func didAccessValue(forKey key: String?) {}

  /// Begins a change that `didChangeValue` ends: of a primitive value.
  open func willChangeValue(forKey key: String) {
    changingKeys.append(key)
    state.announceChange(of: key, in: self)
  }

  /// Has a primitive value that was set count as a change of the property (CT-06), with observers.
  open func didChangeValue(forKey key: String) {
    guard let place = changingKeys.lastIndex(of: key) else { return }
    guard owner != nil, primitiveChanges.remove(key) != nil else {
      changingKeys.remove(at: place)
      return state.tellKeyValueObservers(of: key, in: self)
    }
    // The value is read before the change has ended: observers hear of it once.
    let value = primitiveRelations.removeValue(forKey: key) ?? read(key)
    changingKeys.remove(at: place)
    set(value, key, property(key))
  }

  /// Begins a change of a to-many relationship: as `willChangeValue(forKey:)`.
  open func willChangeValue(
    forKey key: String, withSetMutation kind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) { willChangeValue(forKey: key) }

  /// Ends it.
  open func didChangeValue(
    forKey key: String, withSetMutation kind: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) { didChangeValue(forKey: key) }

  // MARK: Hooks

  /// Called when an undo, a rollback, a refresh or a merge policy has given it old values (LC-07).
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
  /// Called once for a new object (LC-01).
  open func awakeFromInsert() {}
  /// Called when a fault was fired (LC-05).
  open func awakeFromFetch() {}
  /// Called by `delete` (LC-12).
  open func prepareForDeletion() {}
  /// Called by a save before validation, again after each round that changes the object (LC-09).
  open func willSave() {}
  /// Called after a save.
  open func didSave() {}
  /// Called before the values go.
  open func willTurnIntoFault() {}
  /// Called after the values have gone.
  open func didTurnIntoFault() {}

  /// Of no effect: an observer of a computed property hears of what its getter reads.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

  /// Whether changes of properties that the model does not have make no change of the object.
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  // MARK: Validation

  /// Throws what the model, and a method `validateTitle(_:)` of the class, have against a value of
  /// a property. An override is asked by a save, too.
  open func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    if owner?.isAskingOverrides != true { try validateByModel(value.pointee, key) }
    try validateProperty(value, forKey: key)
  }

  /// The properties that the class has methods for, and so `validateProperty`. Overridden in
  /// prepared sources.
  open class var validatedKeys: [String] { [] }

  /// Whether a save calls `validateValue` for every property: the class overrides it. Overridden in
  /// prepared sources.
  open class var validatesAllKeys: Bool { false }

  /// Calls the class's method for a property, if it has one. Overridden in prepared sources.
  open func validateProperty(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {}

  /// Throws what a save would have against an object that is inserted. An override is asked by a
  /// save, before the save validates by itself.
  open func validateForInsert() throws { try validate(.forInsert) }

  /// Throws what a save would have against the changes of the object.
  open func validateForUpdate() throws { try validate(.forUpdate) }

  /// Throws what a save would have against the deletion of the object.
  open func validateForDelete() throws { try validate(.forDelete) }
}
