import ObjectModel

protocol HasObjectID {
  var id: ObjectID { get }
}

/// Elements by ID, in ID order: one sorted array, so that what is visited is visited in order.
struct IDTable<Element: HasObjectID> {
  private(set) var elements: [Element] = []

  var isEmpty: Bool { elements.isEmpty }
  var ids: [ObjectID] { elements.map(\.id) }

  func contains(_ id: ObjectID) -> Bool { index(of: id) != nil }

  subscript(id: ObjectID) -> Element? { index(of: id).map { elements[$0] } }

  /// An element that is known to be there.
  subscript(existing id: ObjectID) -> Element {
    _read { yield elements[existingIndex(of: id)] }
    _modify {
      let index = existingIndex(of: id)
      yield &elements[index]
      assert(elements[index].id == id, "an element changed its ID in place")
    }
  }

  /// Adds `element`, or puts it in the place of the one with the same ID.
  mutating func put(_ element: Element) {
    let index = insertionIndex(of: element.id)
    if index < elements.count, elements[index].id == element.id {
      elements[index] = element
    } else {
      elements.insert(element, at: index)
    }
  }

  @discardableResult
  mutating func remove(_ id: ObjectID) -> Element? {
    index(of: id).map { elements.remove(at: $0) }
  }

  mutating func removeAll() { elements.removeAll() }

  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    elements.removeAll(where: isUnwanted)
  }

  /// Changes every element in turn; `change` leaves IDs as they are.
  mutating func changeEach(_ change: (inout Element) -> Void) {
    for index in elements.indices { change(&elements[index]) }
  }

  private func index(of id: ObjectID) -> Int? {
    let index = insertionIndex(of: id)
    return index < elements.count && elements[index].id == id ? index : nil
  }

  private func existingIndex(of id: ObjectID) -> Int {
    guard let index = index(of: id) else { preconditionFailure("\(id) is not in the table") }
    return index
  }

  private func insertionIndex(of id: ObjectID) -> Int {
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if elements[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension IDTable: Sendable where Element: Sendable {}
extension IDTable: Equatable where Element: Equatable {}
extension IDTable: Hashable where Element: Hashable {}
