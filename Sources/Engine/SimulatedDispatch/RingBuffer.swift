/// A first-in, first-out queue in a ring. Operations at both ends cost O(1), and removed elements
/// leave no trace.
@usableFromInline struct RingBuffer<Element: Hashable & Sendable>: Sendable {
  /// The slots. Their count is zero or a power of two.
  @usableFromInline var slots: [Element?] = []
  @usableFromInline var head = 0
  @usableFromInline var count = 0

  @inlinable init() {}

  @inlinable subscript(position: Int) -> Element {
    precondition(position < count, "position \(position) in a line of \(count)")
    guard let element = slots[(head + position) & (slots.count - 1)] else {
      preconditionFailure("slot of position \(position) is empty")
    }
    return element
  }

  @inlinable mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    slots[(head + count) & (slots.count - 1)] = element
    count += 1
  }

  @inlinable mutating func prepend(_ element: Element) {
    if count == slots.count { grow() }
    head = (head + slots.count - 1) & (slots.count - 1)
    slots[head] = element
    count += 1
  }

  @inlinable mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head].take()
    head = (head + 1) & (slots.count - 1)
    count -= 1
    // Releases the memory of a burst, so that later copies of the world do not contain it.
    if count == 0 && slots.count > 64 { slots = [] }
    return element
  }

  @inlinable mutating func grow() {
    var larger: [Element?] = []
    larger.reserveCapacity(max(4, 2 * count))
    for position in 0..<count { larger.append(self[position]) }
    while larger.count < max(4, 2 * count) { larger.append(nil) }
    slots = larger
    head = 0
  }
}

/// Comparison ignores where in the ring the line begins, because that is history, not state.
extension RingBuffer: Hashable {
  @inlinable static func == (left: RingBuffer, right: RingBuffer) -> Bool {
    guard left.count == right.count else { return false }
    for position in 0..<left.count where left[position] != right[position] { return false }
    return true
  }

  @inlinable func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for position in 0..<count { hasher.combine(self[position]) }
  }
}
