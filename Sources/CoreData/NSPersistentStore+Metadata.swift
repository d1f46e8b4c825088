import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Metadata that is set on a coordinator is in the store only after the next save of one of its
/// contexts (SV-27).
extension NSPersistentStore {
  /// What Core Data itself knows of a store, whatever an app sets.
  private static let ownKeys = [
    NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey,
  ]

  /// Metadata as the store has it, without what no save has written.
  func writtenMetadata(in state: RunState) -> [String: Any] {
    let version = state.run.read { $0.metadata[id.index] }
    guard version > 0 else { return firstMetadata }
    var written = state.metadataVersions[version - 1]
    for key in NSPersistentStore.ownKeys { written[key] = metadata[key] ?? firstMetadata[key] }
    return written
  }

  /// Writes metadata, with no coordinator in between.
  func write(_ metadata: [String: Any], in state: RunState) {
    let version = state.run.read { $0.metadata[id.index] }
    if version > 0 {
      state.metadataVersions[version - 1] = metadata
    } else {
      firstMetadata = metadata
    }
    ownMetadata = metadata
  }
}
