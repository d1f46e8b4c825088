import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Metadata that an app sets on a coordinator reaches the store with the next save of one of its
/// contexts (SV-27).
extension NSPersistentStore {
  /// The keys that Core Data sets itself, regardless of the metadata that an app sets.
  private static let ownKeys = [
    NSStoreTypeKey, NSStoreUUIDKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey,
  ]

  /// Returns the metadata in the store, without metadata that no save has written yet.
  func writtenMetadata(in state: RunState) -> [String: Any] {
    let version = state.run.read { $0.metadata[id.index] }
    guard version > 0 else { return firstMetadata }
    var written = state.metadataVersions[version - 1]
    for key in NSPersistentStore.ownKeys { written[key] = metadata[key] ?? firstMetadata[key] }
    return written
  }

  /// Writes metadata directly to the store, as the class methods of coordinators do.
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
