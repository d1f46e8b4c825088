public import Foundation

/// A container as apps with CloudKit have it. It is one without an account: what it saves stays
/// here, and nothing ever comes.
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {}

/// What a store is synchronised with. Of no effect.
open class NSPersistentCloudKitContainerOptions: NSObject, @unchecked Sendable {
  /// The container in the cloud.
  public let containerIdentifier: String

  /// Options for the container of this name.
  public init(containerIdentifier: String) { self.containerIdentifier = containerIdentifier }
}
