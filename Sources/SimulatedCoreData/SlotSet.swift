/// A set of slots, in no order: to enter and to leave cost the same, whatever is in it.
struct SlotSet {
  private(set) var slots: [Int] = []
  /// By slot: where `slots` has it; -1 for nowhere.
  private var places: [Int] = []

  var isEmpty: Bool { slots.isEmpty }

  func contains(_ slot: Int) -> Bool { slot < places.count && places[slot] >= 0 }

  mutating func insert(_ slot: Int) {
    if contains(slot) { return }
    while places.count <= slot { places.append(-1) }
    places[slot] = slots.count
    slots.append(slot)
  }

  /// The last one takes the place of the one that leaves.
  mutating func remove(_ slot: Int) {
    guard contains(slot) else { return }
    let last = slots.removeLast()
    let place = places[slot]
    places[slot] = -1
    if last == slot { return }
    slots[place] = last
    places[last] = place
  }
}
