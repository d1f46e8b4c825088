import ObjectModel
import Vocabulary

/// Differences between the values of an instance and its base.
extension ManagedObject {
  /// Decides whether a persistent property was set to another value (CT-02). §really-changed
  func isReallyChanged(_ property: Int, by setting: Setting) -> Bool {
    let shape = setting.shapes[id.entity.index][property]
    return changed.contains(property) && !shape.isTransient && differs(shape, by: setting)
  }

  func differs(_ shape: PropertyShape, by setting: Setting) -> Bool {
    if shape.isOrdered, setting.bugs.contains(.orderAloneIsNoChange) {
      return current.collections[shape.slot].sorted() != base.collections[shape.slot].sorted()
    }
    return shape.kind == .toMany
      ? current.collections[shape.slot] != base.collections[shape.slot]
      : current.values[shape.slot] != base.values[shape.slot]
  }

  /// Decides whether an update saves an attribute, even an untracked one (CT-06).
  /// §properties-handed-over.1.2
  func isPrimitivelyChanged(_ shape: PropertyShape, by setting: Setting) -> Bool {
    shape.kind == .attribute && !shape.isTransient && differs(shape, by: setting)
  }
}
