package import ObjectModel

/// The spelling of object IDs as URIs (ID-29). The engine and the reference model share it, because
/// it affects no behaviour.
package enum ObjectURI {
  /// Returns the UUID of a store. It is derived from the store's number, so that every run uses the
  /// same UUID.
  package static func uuid(of store: StoreID) -> String {
    "00000000-0000-4000-8000-" + padded(store.index + 1)
  }

  package static func text(_ id: ObjectID, in model: ObjectModel) -> String {
    let entity = model[id.entity].name
    if let store = id.store {
      return "x-coredata://\(uuid(of: store))/\(entity)/p\(id.number)"
    }
    return "x-coredata:///\(entity)/t00000000-0000-4000-8000-000000000000\(id.number)"
  }

  private static func padded(_ number: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 12 - digits.count)) + digits
  }
}
