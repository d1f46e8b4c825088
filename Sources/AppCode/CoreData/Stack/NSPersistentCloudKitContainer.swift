public import Foundation

/// A container as apps with CloudKit use it. The container behaves as if no account were signed in,
/// so it neither sends nor receives changes.
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
  /// The name of the notification of a synchronization event, which is never posted.
  public class var eventChangedNotification: NSNotification.Name {
    NSNotification.Name("NSPersistentCloudKitContainerEventChangedNotification")
  }
  /// The user info key of an `Event` in that notification.
  public class var eventNotificationUserInfoKey: String { "event" }

  /// Always returns true, because no object is shared.
  open func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

  /// Always returns true, because no object is shared.
  open func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool { true }

  /// Always returns true, because no store is shared.
  open func canModifyManagedObjects(in store: NSPersistentStore) -> Bool { true }

  /// Always throws an error, because no account exists in which to create the schema.
  open func initializeCloudKitSchema(
    options: NSPersistentCloudKitContainerSchemaInitializationOptions = []
  ) throws {
    throw RunState.current.cocoa(
      NSCoreDataError, "there is no iCloud account",
      [NSLocalizedFailureReasonErrorKey: "CloudKit is not simulated"])
  }
}

/// Options for the creation of a CloudKit schema.
public struct NSPersistentCloudKitContainerSchemaInitializationOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: UInt
  /// Creates options from bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// Validates the schema without sending it.
  public static let dryRun = NSPersistentCloudKitContainerSchemaInitializationOptions(
    rawValue: 1 << 1)
  /// Prints the schema.
  public static let printSchema = NSPersistentCloudKitContainerSchemaInitializationOptions(
    rawValue: 1 << 2)
}

extension NSPersistentCloudKitContainer {
  /// A synchronization event. The type has no values, because nothing is synchronized.
  public enum Event {
    /// The kind of the event.
    public var type: EventType { switch self {} }
    /// The identifier of the synchronized store.
    public var storeIdentifier: String { switch self {} }
    /// The unique identifier of the event.
    public var identifier: UUID { switch self {} }
    /// The date at which the event began.
    public var startDate: Date { switch self {} }
    /// The date at which the event ended, or nil before its end.
    public var endDate: Date? { switch self {} }
    /// A Boolean value that indicates whether the event succeeded.
    public var succeeded: Bool { switch self {} }
    /// The error that made the event fail.
    public var error: (any Error)? { switch self {} }
  }

  /// The kinds of events.
  public enum EventType: Int, Sendable {
    /// The container sets itself up.
    case setup = 0
    /// Changes are imported from CloudKit.
    case `import` = 1
    /// Changes are exported to CloudKit.
    case export = 2
  }
}

/// The options for synchronizing a store with CloudKit, which have no effect.
open class NSPersistentCloudKitContainerOptions: NSObject, @unchecked Sendable {
  /// The identifier of the CloudKit container.
  public let containerIdentifier: String

  /// Creates options for a CloudKit container.
  public init(containerIdentifier: String) { self.containerIdentifier = containerIdentifier }
}
