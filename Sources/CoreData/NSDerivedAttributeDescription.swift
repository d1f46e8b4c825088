import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Synchronization
import Vocabulary

/// An attribute that a save computes from others: `canonical:`, `lowercase:` or `uppercase:` of a
/// text of the object, `now()`, or `@count` of one of its to-many relationships. Others trap when
/// the model is used: what they are of changes without the object.
///
/// A save to stores sets it, where Core Data leaves that to SQLite: the object shows the value once
/// it is saved, and need not be refreshed.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// What it is computed by.
  open var derivationExpression: SimulatedNSExpression? {
    get {
      lock.withLock { _ in
        if ownExpression == nil {
          ownExpression = derivationText.map { SimulatedNSExpression(format: $0) }
        }
      }
      return ownExpression
    }
    set { lock.withLock { _ in (ownExpression, derivationText) = (newValue, nil) } }
  }
  /// Runs that go on side by side may share a model: the expression of a file is made once.
  private let lock = Mutex(())
  private var ownExpression: SimulatedNSExpression?
  /// The expression as a model file has it: read when it is needed.
  var derivationText: String?

  func takeExpression(of other: NSDerivedAttributeDescription) {
    other.lock.withLock { _ in
      (ownExpression, derivationText) = (other.ownExpression, other.derivationText)
    }
  }

  /// The expression. Traps if it is not simulated.
  var derivation: Format.Side {
    switch derivationExpression?.side {
    case .function(let name, let sides)? where name.hasPrefix("now") && sides.isEmpty:
      return .function("now", [])
    case .function(let name, let sides)?
    where ["canonical:", "lowercase:", "uppercase:"].contains(name):
      if sides.count == 1, case .path(let keys) = sides[0], keys.count == 1 {
        return .function(name, sides)
      }
    case .count(let keys)? where keys.count == 1: return .count(keys)
    case .path(let keys)? where keys.count == 1: return .path(keys)
    default: break
    }
    misuse(
      "the derived attribute '\(name)' is not simulated: it is canonical:, lowercase: or uppercase: "
        + "of an attribute, now(), or @count of a relationship")
  }
}

extension NSManagedObjectContext {
  /// Sets the derived attributes of what a save writes to stores.
  func deriveAttributes() {
    guard parent == nil else { return }
    let views = run.read { graph in
      graph.view(of: id).filter { ($0.isInserted || $0.isUpdated) && !$0.isDeleted }
    }
    for view in views {
      let derived = state.entity(view.id.entity).derivedAttributes
      if derived.isEmpty { continue }
      let object = object(for: view.id)
      for description in derived {
        let value = description.derivation.value(of: object, [:])
        let (key, property) = object.property(description.name)
        guard let attribute = property.attribute else { continue }
        let new = state.value(of: value, attribute.type)
        let shown = run.read { $0.heldInstance(object.handle.context, object.handle.name) }
        if let shown, property.slot < shown.values.count, shown.values[property.slot] == new {
          continue
        }
        act(.set(object.handle.name, key, new))
      }
    }
  }
}

extension NSEntityDescription {
  fileprivate var derivedAttributes: [NSDerivedAttributeDescription] {
    allProperties.compactMap { $0 as? NSDerivedAttributeDescription }
  }
}
