import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

enum Note {
  static let entity = EntityID(0)
  static let title = PropertyID(0)
  static let stamp = PropertyID(1)
  static let folder = PropertyID(2)
}

enum Folder {
  static let entity = EntityID(1)
  static let name = PropertyID(0)
  static let notes = PropertyID(1)
}

extension ObjectName {
  static let n = ObjectName(0)
  static let m = ObjectName(1)
  static let k = ObjectName(2)
  static let f = ObjectName(3)
  static let g = ObjectName(4)
  /// The name for a second instance of an object that has a name already.
  static let twin = ObjectName(5)
}

/// Notes in folders, a stack of contexts numbered from 0, and a scheduler. The scheduler chooses
/// the lane that ran last, then the lane with the lowest number.
struct Stage {
  var world: World

  /// - Parameter parents: The parent of each context, or nil for a root. Roots in `elsewhere` are
  ///   below a second coordinator.
  init(
    _ parents: [Int?], quirks: QuirkSet = Profile.current.quirks, policies: [MergePolicy] = [],
    merging: [Int] = [], main: [Int] = [], elsewhere: [Int] = [],
    observers: [Stack.Observer] = [],
    model change: (_ note: inout Entity, _ folder: inout Entity) -> Void = { _, _ in },
    settings: (inout Stack.Context) -> Void = { _ in },
    app: (inout Stack) -> Void = { _ in }
  ) {
    var stack = Stack()
    stack.stores = [Stack.Store(name: "store")]
    stack.coordinators = ["disk", "elsewhere"].prefix(elsewhere.isEmpty ? 1 : 2).map {
      Stack.Coordinator(name: $0, stores: [StoreID(0)])
    }
    for (index, parent) in parents.enumerated() {
      var context = Stack.Context(
        name: "c\(index)", concurrencyType: main.contains(index) ? .mainQueue : .privateQueue,
        parent: parent.map { .context(ContextID($0)) }
          ?? .coordinator(CoordinatorID(elsewhere.contains(index) ? 1 : 0)))
      if index < policies.count { context.mergePolicy = policies[index] }
      context.automaticallyMergesChangesFromParent = merging.contains(index)
      settings(&context)
      stack.contexts.append(context)
    }
    stack.observers = observers
    app(&stack)
    world = World(
      model: Stage.model(change), stack: stack, quirks: quirks, bugs: PlantedBugSet())
  }

  private static func model(_ change: (inout Entity, inout Entity) -> Void) -> ObjectModel {
    var toFolder = Relationship(destination: Folder.entity)
    toFolder.inverse = Folder.notes
    var toNotes = Relationship(destination: Note.entity)
    toNotes.inverse = Note.folder
    toNotes.isToMany = true
    var note = Entity(name: "Note")
    note.properties = [
      Property(name: "title", kind: .attribute(Attribute(type: .string))),
      Property(name: "stamp", kind: .attribute(Attribute(type: .integer64))),
      Property(name: "folder", kind: .relationship(toFolder)),
    ]
    var folder = Entity(name: "Folder")
    folder.properties = [
      Property(name: "name", kind: .attribute(Attribute(type: .string))),
      Property(name: "notes", kind: .relationship(toNotes)),
    ]
    change(&note, &folder)
    return ObjectModel(entities: [note, folder])
  }

  // MARK: Running

  /// Makes the program perform `steps`, each until nothing is left to happen.
  @discardableResult
  mutating func run(_ c: Int, _ steps: Step...) -> [Performed] {
    var performed: [Performed] = []
    for step in steps {
      world.submit(AddressedStep(ContextID(c), step))
      performed += world.settle()
    }
    return performed
  }

  /// Makes the driver begin `step` and continue until it waits.
  @discardableResult
  mutating func begin(_ c: Int, _ step: Step) -> [Performed] {
    world.submit(AddressedStep(ContextID(c), step))
    var performed: [Performed] = []
    while world.dispatcher.canRun(world.driver) {
      if let done = world.turn(of: world.driver) { performed.append(done) }
    }
    return performed
  }

  /// Runs as far as possible without letting time pass.
  @discardableResult
  mutating func runWithoutTime() -> [Performed] {
    var performed: [Performed] = []
    while let lane = world.dispatcher.runnable.first {
      if let done = world.turn(of: lane) { performed.append(done) }
    }
    return performed
  }

  // MARK: Shorthands

  /// Loads the object that context `source` holds into context `c`, under the same name, and
  /// realises it.
  mutating func load(_ name: ObjectName, from source: Int, in c: Int) {
    run(c, .object(with: HeldInstance(source, name), as: name))
    run(c, .get(name, PropertyID(0)))
  }

  /// Reads a property through a step, which fires a fault.
  mutating func read(_ c: Int, _ name: ObjectName, _ property: PropertyID) -> Value? {
    if case .value(let value) = run(c, .get(name, property)).events.last { return value }
    return nil
  }

  // MARK: Looking

  func view(_ c: Int) -> [InstanceView] { world.graph.view(of: ContextID(c)) }

  var rows: [RowView] { world.graph.rows(of: StoreID(0)) }

  /// The instance of a name, without firing the fault.
  subscript(c: Int, name: ObjectName) -> InstanceView? {
    world.graph.heldInstance(ContextID(c), name)
  }

  /// Returns the instance's value of an attribute or a to-one relationship, or nil for a fault.
  func shown(_ c: Int, _ name: ObjectName, _ property: PropertyID) -> Value? {
    guard let instance = self[c, name], !instance.isFault else { return nil }
    return instance.values[world.graph.slot(of: property, in: instance.id.entity)]
  }

  func id(_ c: Int, _ name: ObjectName) -> ObjectID? { world.graph.heldID(ContextID(c), name) }

  func hasChanges(_ c: Int) -> Bool { world.graph.hasChanges(ContextID(c)) }

  func queue(_ c: Int) -> QueueID { world.queue(of: ContextID(c)) }

  func owner(_ c: Int) -> LaneID? { world.dispatcher.owner(of: queue(c)) }

  func worker(_ c: Int) -> LaneID { world.dispatcher.worker(of: queue(c)) }

  /// The queues that the driver owns, by their names in reports.
  var ownedByDriver: [String] {
    let queueCount =
      1 + world.stack.queues.count
      + world.stack.contexts.count { $0.concurrencyType == .privateQueue }
      + world.stack.coordinators.count
    return (0..<queueCount).map { QueueID(index: $0) }
      .filter { world.dispatcher.owns(world.driver, $0) }.map { world.name(of: $0) }
  }
}

/// A performed action, its lane, and its observable events.
struct Performed: Hashable {
  var lane: LaneID
  var action: Action
  var events: [Event]
}

extension World {
  /// The sorted names of the world's stored properties and of its graph's.
  var parts: [String] {
    let all =
      Mirror(reflecting: self).children.map(\.label)
      + Mirror(reflecting: graph).children.map(\.label)
    return all.compactMap(\.self).filter { $0 != "graph" }.sorted()
  }

  /// Runs one turn of a lane.
  mutating func turn(of lane: LaneID) -> Performed? {
    guard case .performed(let action) = advance(lane) else { return nil }
    return Performed(lane: lane, action: action, events: graph.result.events)
  }

  /// Runs one turn of the lane that ran last, or of the first that can run. If no lane can run, the
  /// clock moves. Returns false if nothing is left to happen.
  mutating func turn(into performed: inout [Performed]) -> Bool {
    guard let lane = dispatcher.runnable.first else { return dispatcher.advanceTime() }
    if let done = turn(of: lane) { performed.append(done) }
    return true
  }

  /// Runs until nothing is left to happen.
  mutating func settle() -> [Performed] {
    var performed: [Performed] = []
    while turn(into: &performed) {}
    return performed
  }
}

extension [Performed] {
  var events: [Event] { flatMap(\.events) }

  var failure: Failure? {
    for case .failed(let failure) in events { return failure }
    return nil
  }

  /// The codes of a validation that failed.
  var codes: [ErrorCode] {
    if case .validation(let issues) = failure { return issues.map(\.code) }
    return []
  }

  /// The results of the first fetch.
  var objects: [ObjectID]? {
    for case .objects(let ids) in events { return ids }
    return nil
  }

  func objectsDidChange(_ c: Int) -> [ChangeSets] {
    events.compactMap {
      if case .objectsDidChange(ContextID(c), let sets) = $0 { sets } else { nil }
    }
  }

  func didSave(_ c: Int) -> [ChangeSets] {
    events.compactMap { if case .didSave(ContextID(c), let sets, _) = $0 { sets } else { nil } }
  }

  func hooks(_ hook: Hook, _ c: Int) -> [ObjectID] {
    events.compactMap { if case .hook(hook, ContextID(c), let id) = $0 { id } else { nil } }
  }

  /// Returns the values of each instance when it was awakened, in order.
  func awakenings(_ c: Int) -> [[Value]] {
    events.compactMap {
      if case .awakeFromInsert(ContextID(c), _, let values) = $0 { values } else { nil }
    }
  }

  func received(_ c: Int) -> [[Received]] {
    events.compactMap { if case .receive(ContextID(c), _, let all) = $0 { all } else { nil } }
  }

  /// The performed steps with their contexts, without merges and ends of events.
  var steps: [AddressedStep] {
    compactMap { if case .step(let step, _) = $0.action { step } else { nil } }
  }
}

extension Action {
  var isMerge: Bool { if case .merge = self { true } else { false } }
}

extension HeldInstance {
  init(_ c: Int, _ name: ObjectName) { self.init(ContextID(c), name) }
}

extension AddressedStep {
  init(_ c: Int, _ step: Step) { self.init(ContextID(c), step) }
}

extension Value {
  static func text(_ number: Int) -> Value { .string(Symbol(token: number)) }
}

extension ChangeSets {
  init(
    inserted: [ObjectID] = [], updated: [ObjectID] = [], deleted: [ObjectID] = [],
    refreshed: [ObjectID] = []
  ) {
    self.init()
    (self.inserted, self.updated) = (inserted, updated)
    (self.deleted, self.refreshed) = (deleted, refreshed)
  }
}

extension Property {
  /// Changes an attribute of a model that differs from the usual one.
  mutating func changeAttribute(_ change: (inout Attribute) -> Void) {
    guard var attribute else { preconditionFailure("\(name) is a relationship") }
    change(&attribute)
    kind = .attribute(attribute)
  }

  mutating func changeRelationship(_ change: (inout Relationship) -> Void) {
    guard var relationship else { preconditionFailure("\(name) is an attribute") }
    change(&relationship)
    kind = .relationship(relationship)
  }
}
