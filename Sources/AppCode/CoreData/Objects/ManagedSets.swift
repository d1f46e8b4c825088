import Foundation

/// The result of `mutableSetValue(forKey:)`, which reads and changes a relationship of an object.
final class ManagedSet: NSMutableSet {
  private let owner: NSManagedObject
  private let key: String

  init(_ owner: NSManagedObject, _ key: String) {
    (self.owner, self.key) = (owner, key)
    super.init(capacity: 0)
  }

  required init?(coder: NSCoder) { nil }
  required init(capacity: Int) { misuse("a set of a relationship is made without an object") }

  private var members: [NSManagedObject] { NSManagedObject.members(of: owner.value(forKey: key)) }

  override var count: Int { members.count }
  override func member(_ object: Any) -> Any? { members.first { $0 === object as AnyObject } }
  override func objectEnumerator() -> NSEnumerator { NSArray(array: members).objectEnumerator() }
  override func add(_ object: Any) { owner.addManaged(key, object) }
  override func remove(_ object: Any) { owner.removeManaged(key, object) }
  override var allObjects: [Any] { members }
  override func union(_ other: Set<AnyHashable>) {
    owner.addManaged(key, NSArray(array: other.map(\.base)))
  }
  override func minus(_ other: Set<AnyHashable>) {
    owner.removeManaged(key, NSArray(array: other.map(\.base)))
  }
  override func intersect(_ other: Set<AnyHashable>) {
    owner.removeManaged(key, NSArray(array: members.filter { !other.contains($0) }))
  }
  override func setSet(_ other: Set<AnyHashable>) {
    owner.setValue(NSSet(array: other.map(\.base)), forKey: key)
  }
}

final class ManagedOrderedSet: NSMutableOrderedSet {
  private let owner: NSManagedObject
  private let key: String

  init(_ owner: NSManagedObject, _ key: String) {
    (self.owner, self.key) = (owner, key)
    super.init(capacity: 0)
  }

  required init?(coder: NSCoder) { nil }
  override required init(capacity: Int) {
    misuse("a set of a relationship is made without an object")
  }
  required init(arrayLiteral elements: Any...) {
    misuse("a set of a relationship is made without an object")
  }

  private var members: [NSManagedObject] { NSManagedObject.members(of: owner.value(forKey: key)) }

  override var count: Int { members.count }
  override func object(at index: Int) -> Any { members[index] }
  override func index(of object: Any) -> Int {
    members.firstIndex { $0 === object as AnyObject } ?? NSNotFound
  }
  override func insert(_ object: Any, at index: Int) { owner.insertManaged(key, object, index) }
  override func removeObject(at index: Int) { owner.removeManaged(key, at: index) }
  override func replaceObject(at index: Int, with object: Any) {
    owner.replaceManaged(key, index, object)
  }
  override func add(_ object: Any) { owner.addManaged(key, object) }
  override func remove(_ object: Any) { owner.removeManaged(key, object) }
  override func removeAllObjects() { owner.removeManaged(key, NSArray(array: members)) }
  override func contains(_ object: Any) -> Bool { index(of: object) != NSNotFound }

  /// Reads the relationship, changes the list and sets the relationship as a whole.
  private func arrange(_ change: (inout [NSManagedObject]) -> Void) {
    var objects = members
    change(&objects)
    owner.setValue(NSOrderedSet(array: objects), forKey: key)
  }

  override func exchangeObject(at first: Int, withObjectAt second: Int) {
    arrange { $0.swapAt(first, second) }
  }
  override func moveObjects(at indexes: IndexSet, to index: Int) {
    arrange { objects in
      let moved = indexes.map { objects[$0] }
      for place in indexes.reversed() { objects.remove(at: place) }
      objects.insert(contentsOf: moved, at: index)
    }
  }
  override func insert(_ objects: [Any], at indexes: IndexSet) {
    owner.insertManaged(key, NSArray(array: objects), indexes)
  }
  override func removeObjects(at indexes: IndexSet) { owner.removeManaged(key, at: indexes) }
  override func removeObjects(in range: NSRange) {
    owner.removeManaged(key, at: IndexSet(integersIn: range.location..<NSMaxRange(range)))
  }
  override func removeObjects(in list: [Any]) { owner.removeManaged(key, NSArray(array: list)) }
  override func addObjects(from list: [Any]) { owner.addManaged(key, NSArray(array: list)) }
  override func sort(comparator: (Any, Any) -> ComparisonResult) {
    arrange { objects in objects.sort { comparator($0, $1) == .orderedAscending } }
  }
}
