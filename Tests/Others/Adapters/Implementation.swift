/// The adapter of one implementation of Core Data. Contexts are numbered in the order of
/// declaration.
protocol Implementation: AnyObject {
  associatedtype Object

  /// The lines that answer `--capabilities`.
  static var capabilities: [String] { get }

  init(_ entities: [EntityDeclaration], _ contexts: [ContextDeclaration])

  /// Returns whether two instances stand for one object, which they do if their IDs are equal.
  func isSame(_ a: Object, _ b: Object) -> Bool
  func entityName(of object: Object) -> String

  func insert(_ entity: String, in context: Int) -> Object
  func value(_ key: String, of object: Object) -> PlainValue<Object>
  func set(_ key: String, of object: Object, to value: PlainValue<Object>)
  func add(_ other: Object, to key: String, of object: Object)
  func remove(_ other: Object, from key: String, of object: Object)
  func delete(_ object: Object, in context: Int)
  func changedValues(of object: Object) -> [(key: String, value: PlainValue<Object>)]
  /// Returns letters: I for inserted, U for updated, D for deleted.
  func flags(of object: Object) -> String
  func hasChanges(_ context: Int) -> Bool

  func fetch(_ request: Request<Object>, in context: Int) -> Outcome<[Object]>
  func object(withIDOf other: Object, in context: Int) -> Outcome<Object?>
  func existingObject(withIDOf other: Object, in context: Int) -> Outcome<Object?>
  func registeredObject(withIDOf other: Object, in context: Int) -> Outcome<Object?>

  func save(_ context: Int) -> Outcome<Void>
  func refresh(_ object: Object, mergeChanges: Bool, in context: Int)
  func reset(_ context: Int)
  func rollback(_ context: Int)
  func processPendingChanges(_ context: Int)
  func obtainPermanentIDs(_ objects: [Object], in context: Int) -> Outcome<Void>
  func validate(_ object: Object, _ validation: String) -> Outcome<Void>
  func detectConflicts(_ object: Object, in context: Int)
  /// Merges the DidSave that step `save` posted. Returns false if the step posted none.
  func merge(save: Int, into context: Int) -> Bool
  /// Called before each step with the step's number. Later notifications belong to this step.
  func begin(step: Int)
  /// Returns all objects of the store, as a context sees them that was made for this purpose.
  func storedObjects() -> [Object]
}

enum Outcome<Value> {
  case success(Value)
  /// `conflict`, `validation`, `missing`, or `other`.
  case failure(String)
}

indirect enum PlainValue<Object> {
  case null
  case integer(Int64)
  case flag(Bool)
  case text(String)
  case object(Object)
  case objects([Object])
  case unknown(String)
}

struct EntityDeclaration {
  struct Attribute {
    let name: String
    let type: String
    let isOptional: Bool
    let defaultValue: PlainValue<Never>
  }

  struct Relationship {
    let name: String
    let destination: String
    let isToMany: Bool
    let isOptional: Bool
    let inverse: String?
    let deleteRule: String
  }

  let name: String
  let parent: String?
  let isAbstract: Bool
  var attributes: [Attribute] = []
  var relationships: [Relationship] = []
}

struct ContextDeclaration {
  let name: String
  let policy: String
}

struct Request<Object> {
  struct Comparison {
    let key: String
    /// `==`, `!=`, `<` or `>`.
    let relation: String
    let value: PlainValue<Object>
  }

  let entity: String
  let includesSubentities: Bool
  let includesPendingChanges: Bool
  let comparisons: [Comparison]
}
