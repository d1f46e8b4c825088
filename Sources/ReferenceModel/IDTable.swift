import ObjectModel

protocol HasObjectID {
  var id: ObjectID { get }
}

/// Elements by ID, in ID order: one sorted array, so that what is visited is visited in order.
struct IDTable<Element: HasObjectID> {
  private(set) var elements: [Element] = []
  /// The IDs of all that may have changed since this was emptied; may have one twice. No part of
  /// what the table is.
  private(set) var touched: [ObjectID] = []

  var isEmpty: Bool { elements.isEmpty }
  var ids: [ObjectID] { elements.map(\.id) }

  // Inlined: a call on what is part of an array's element copies that, with all its references.

  @inline(__always) func contains(_ id: ObjectID) -> Bool { index(of: id) != nil }

  subscript(id: ObjectID) -> Element? {
    @inline(__always) get {
      guard let index = index(of: id) else { return nil }
      return elements[index]
    }
  }

  /// An element that is known to be there.
  subscript(existing id: ObjectID) -> Element {
    _read { yield elements[existingIndex(of: id)] }
    _modify {
      let index = existingIndex(of: id)
      touched.append(id)
      yield &elements[index]
      assert(elements[index].id == id, "an element changed its ID in place")
    }
  }

  /// Adds `element`, or puts it in the place of the one with the same ID.
  mutating func put(_ element: consuming Element) {
    touched.append(element.id)
    let index = insertionIndex(of: element.id)
    if index < elements.count, elements[index].id == element.id {
      elements[index] = element
    } else {
      elements.insert(element, at: index)
    }
    assert(isInOrder(around: index), "the table is out of order")
  }

  @discardableResult
  mutating func remove(_ id: ObjectID) -> Element? {
    guard let index = index(of: id) else { return nil }
    touched.append(id)
    let element = elements.remove(at: index)
    assert(element.id == id, "\(element.id) is removed instead of \(id)")
    return element
  }

  /// Whether the element at `index` is after the one before it and before the one after it.
  private func isInOrder(around index: Int) -> Bool {
    (index == 0 || elements[index - 1].id < elements[index].id)
      && (index + 1 == elements.count || elements[index].id < elements[index + 1].id)
  }

  mutating func removeAll() {
    touched += ids
    elements.removeAll()
  }

  mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    touched += elements.filter(isUnwanted).map(\.id)
    elements.removeAll(where: isUnwanted)
  }

  /// Changes every element in turn that meets a condition; `change` leaves IDs as they are.
  @inline(__always) mutating func changeEach(
    where isMeant: (borrowing Element) -> Bool, _ change: (inout Element) -> Void
  ) {
    for index in elements.indices where isMeant(elements[index]) {
      touched.append(elements[index].id)
      change(&elements[index])
      assert(touched.last == elements[index].id, "an element changed its ID in place")
    }
  }

  mutating func forgetTouched() {
    if !touched.isEmpty { touched.removeAll(keepingCapacity: true) }
  }

  @inline(__always) private func index(of id: ObjectID) -> Int? {
    let index = insertionIndex(of: id)
    return index < elements.count && elements[index].id == id ? index : nil
  }

  @inline(__always) private func existingIndex(of id: ObjectID) -> Int {
    guard let index = index(of: id) else { preconditionFailure("\(id) is not in the table") }
    return index
  }

  @inline(__always) private func insertionIndex(of id: ObjectID) -> Int {
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

extension IDTable: Equatable where Element: Equatable {
  static func == (a: IDTable, b: IDTable) -> Bool { a.elements == b.elements }
}

extension IDTable: Hashable where Element: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}
