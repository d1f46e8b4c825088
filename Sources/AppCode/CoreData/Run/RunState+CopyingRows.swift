import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Copies rows to another store. A context that the app cannot access inserts, sets and saves them
/// like other rows. No hook of a class runs.
extension RunState {
  /// Copies the rows of `source` to `destination`, which the coordinator of `context` must have.
  /// Rows keep their order and get new keys.
  func copyRows(
    of source: NSPersistentStore, to destination: NSPersistentStore, by mapping: RowMapping,
    in context: ContextID
  ) throws {
    let ids = run.read { $0.storedIDs(of: source.id) }
    let pairs = Dictionary(
      mapping.pairs.map { (id(of: $0.source), $0) }, uniquingKeysWith: { first, _ in first })
    let entities = run.stack.stores[destination.id.index].entities
    var copies: [ObjectID: ObjectName] = [:]
    for row in ids {
      guard let pair = pairs[row.entity] else { continue }
      let entity = id(of: pair.destination)
      if let entities, !entities.contains(entity) { continue }
      copies[row] = try insertCopy(of: row, by: pair, into: destination.id, in: context)
    }
    for row in ids {
      guard let name = copies[row], let pair = pairs[row.entity] else { continue }
      for (old, new) in pair.relationships {
        let held = destinations(of: row, old.name).compactMap { copies[$0] }
          .map { HeldInstance(context, $0) }
        guard !held.isEmpty, let key = key(new.name, of: pair.destination) else { continue }
        run.perform(
          new.isToMany ? .replace(name, key, held) : .relate(name, key, held[0]), in: context)
      }
    }
    try saveCopies(in: context)
    for row in ids { if let name = copies[row] { run.perform(.release(name), in: context) } }
  }

  private func insertCopy(
    of row: ObjectID, by pair: RowMapping.EntityPair, into store: StoreID, in context: ContextID
  ) throws -> ObjectName {
    let name = run.makeName()
    run.perform(.insert(id(of: pair.destination), as: name), in: context)
    run.perform(.assign(name, store), in: context)
    let values = run.read { $0.storedValues(of: row) } ?? []
    for (old, new) in pair.attributes {
      guard let source = key(old.name, of: pair.source),
        let key = key(new.name, of: pair.destination)
      else { continue }
      let slot = run.model[row.entity][source].slot
      let value = slot < values.count ? values[slot] : .null
      if value.isNull, !new.isOptional {
        // The default value replaces the missing value.
        guard new.defaultValue != nil else { throw missingValue(new) }
        continue
      }
      run.perform(.set(name, key, value), in: context)
    }
    for new in pair.newAttributes
    where !new.isOptional && new.defaultValue == nil && !new.isTransient {
      throw missingValue(new)
    }
    return name
  }

  private func saveCopies(in context: ContextID) throws {
    for phase in [Phase.flush, .willSave, .commit, .finish] {
      let events = run.perform(.save, in: context, phase)
      if let failure = events.failure {
        run.perform(.reset, in: context)
        throw migrationError("the copied objects cannot be saved: \(failure)")
      }
      if events.contains(.saved) { return }
    }
  }

  private func destinations(of row: ObjectID, _ name: String) -> [ObjectID] {
    guard let key = run.model[row.entity].property(named: name) else { return [] }
    let property = run.model[row.entity][key]
    if property.isToMany {
      return run.read { $0.storedMembers(of: row, slot: property.slot) }
    }
    let values = run.read { $0.storedValues(of: row) } ?? []
    return property.slot < values.count ? values[property.slot].objectID.map { [$0] } ?? [] : []
  }

  private func key(_ name: String, of entity: NSEntityDescription) -> PropertyID? {
    run.model[id(of: entity)].property(named: name)
  }

  private func missingValue(_ attribute: NSAttributeDescription) -> NSError {
    migrationError(
      "missing attribute values on mandatory destination attribute "
        + "\(attribute.entity?.name ?? "").\(attribute.name)")
  }

  /// Returns the error of a migration that fails after its beginning.
  func migrationError(_ reason: String) -> NSError {
    cocoa(NSMigrationError, "the store could not be migrated", ["reason": reason])
  }
}
