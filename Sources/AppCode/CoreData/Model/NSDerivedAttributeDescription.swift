import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Synchronization
import Vocabulary

/// An attribute whose value a save computes from other properties.
///
/// The expression is `canonical:`, `lowercase:` or `uppercase:` of an attribute, an attribute,
/// `now()`, or `@count` of a to-many relationship. Other expressions trap when the model is used,
/// because they depend on other objects.
///
/// Core Data leaves the computation to SQLite. The simulation sets the value in a save to stores,
/// so that the saved object shows it without a refresh.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The expression that computes the value.
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
  /// Concurrent runs may share a model, so the expression of a file is created under a lock.
  private let lock = Mutex(())
  private var ownExpression: SimulatedNSExpression?
  /// The expression text of a model file, which is parsed on first use.
  var derivationText: String?

  func takeExpression(of other: NSDerivedAttributeDescription) {
    other.lock.withLock { _ in
      (ownExpression, derivationText) = (other.ownExpression, other.derivationText)
    }
  }

  /// The expression to compute. Traps if it is not simulated.
  var derivation: PredicateFormat.Operand {
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
      "the derived attribute '\(name)' is not simulated: only canonical:, lowercase: and uppercase: of "
        + "an attribute, now(), and @count of a relationship are")
  }
}

extension NSManagedObjectContext {
  /// Sets the derived attributes of the objects that a save writes to stores.
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
