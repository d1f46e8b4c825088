public import Foundation

/// A container as apps with CloudKit have it. It is one without an account: what it saves stays
/// here, and nothing ever comes.
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
  /// Posted when something is synchronised: never.
  public class var eventChangedNotification: NSNotification.Name {
    NSNotification.Name("NSPersistentCloudKitContainerEventChangedNotification")
  }
  /// Key of that notification: an `Event`.
  public class var eventNotificationUserInfoKey: String { "event" }

  /// Whether the object may be changed: it may, as all that is not shared.
  open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

  /// Whether the object may be deleted: it may, as all that is not shared.
  open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

  /// Whether objects may be inserted into the store: they may, as into all that are not shared.
  open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool { true }

  /// Throws: there is no account whose schema could be made.
  open func initializeCloudKitSchema(
    options: NSPersistentCloudKitContainerSchemaInitializationOptions = []
  ) throws {
    throw RunState.current.cocoa(
      NSCoreDataError, "there is no iCloud account",
      [NSLocalizedFailureReasonErrorKey: "CloudKit is not simulated"])
  }
}

/// How a schema would be made.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// From bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Nothing is sent.
  public static let dryRun = NSPersistentCloudKitContainerSchemaInitializationOptions(
    rawValue: 1 << 1)
  /// The schema is printed.
  public static let printSchema = NSPersistentCloudKitContainerSchemaInitializationOptions(
    rawValue: 1 << 2)
}

extension NSPersistentCloudKitContainer {
  /// Something that is synchronised: there is none, so there is no value of this type.
  public enum Event {
    /// What is done.
    public var type: EventType { switch self {} }
    /// The identifier of the store.
    public var storeIdentifier: String { switch self {} }
    /// Tells it from others.
    public var identifier: UUID { switch self {} }
    /// When it began.
    public var startDate: Date { switch self {} }
    /// When it ended; nil before that.
    public var endDate: Date? { switch self {} }
    /// Whether it has succeeded.
    public var succeeded: Bool { switch self {} }
    /// Why it has not.
    public var error: (any Error)? { switch self {} }
  }

  /// The kinds of events.
  public enum EventType: Int, Sendable {
    /// The container gets ready.
    case setup = 0
    /// Changes come.
    case `import` = 1
    /// Changes go.
    case export = 2
  }
}

/// What a store is synchronised with. Of no effect.
open class NSPersistentCloudKitContainerOptions: NSObject, @unchecked Sendable {
  /// The container in the cloud.
  public let containerIdentifier: String

  /// Options for the container of this name.
  public init(containerIdentifier: String) { self.containerIdentifier = containerIdentifier }
}
