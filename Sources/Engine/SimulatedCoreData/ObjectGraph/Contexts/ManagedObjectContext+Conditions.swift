import ObjectModel
import Vocabulary

/// Queries and flags of instances, by slot. Inlined, because a call would copy the context.
extension ManagedObjectContext {
  @inline(__always) func id(of slot: Int) -> ObjectID { objects[slot].id }

  @inline(__always) func flags(of slot: Int) -> ManagedObject.Flags { objects[slot].flags }

  @inline(__always) func version(of slot: Int) -> Int { objects[slot].version }

  @inline(__always) func isFault(_ slot: Int) -> Bool { objects[slot].isFault }

  @inline(__always) func isPendingDeletion(_ slot: Int) -> Bool { objects[slot].isPendingDeletion }

  /// Decides whether an instance has at least one of `flags`.
  @inline(__always) func has(_ flags: ManagedObject.Flags, _ slot: Int) -> Bool {
    !objects[slot].flags.isDisjoint(with: flags)
  }

  mutating func mark(_ slot: Int, as flags: ManagedObject.Flags) {
    objects[slot].flags.formUnion(flags)
  }

  mutating func unmark(_ slot: Int, as flags: ManagedObject.Flags) {
    objects[slot].flags.subtract(flags)
  }

  func shape(of property: Int, _ slot: Int, by setting: Setting) -> PropertyShape {
    setting.shapes[objects[slot].id.entity.index][property]
  }

  /// Decides whether a save writes an object. §written
  func isWritten(_ slot: Int, by setting: Setting) -> Bool {
    if objects[slot].flags.contains(.inserted) { return true }
    let entity = objects[slot].id.entity
    for (property, shape) in setting.shapes[entity.index].enumerated() where !shape.isTransient {
      let counts =
        shape.kind == .attribute || objects[slot].changed.contains(property)
      if counts, differs(shape, slot, by: setting) { return true }
    }
    return false
  }

  /// Reads in place, because a save calls this for most properties of its objects.
  private func differs(_ shape: PropertyShape, _ slot: Int, by setting: Setting) -> Bool {
    if shape.kind == .toMany { return objects[slot].differs(shape, by: setting) }
    return objects[slot].current.values[shape.slot]
      != objects[slot].base.values[shape.slot]
  }

  /// Decides whether a to-many relationship of a realised instance has been used. Without a
  /// property, decides this for all relationships.
  func isFired(_ property: PropertyID?, of name: ObjectName) -> Bool {
    guard case .slot(let slot) = binding(of: name) else { return true }
    let unfired = objects[slot].unfired
    return property.map { !unfired.contains($0.index) } ?? unfired.isEmpty
  }
}
