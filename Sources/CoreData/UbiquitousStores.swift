/// The stores of iCloud that Core Data had before `NSPersistentCloudKitContainer`. Apple's names
/// are deprecated, and have no effect: no such notification is ever posted.
public let NSPersistentStoreUbiquitousContentNameKey = "NSPersistentStoreUbiquitousContentName"
/// Key of an option without effect.
public let NSPersistentStoreUbiquitousContentURLKey = "NSPersistentStoreUbiquitousContentURL"
/// Key of a transition in a notification of stores.
public let NSPersistentStoreUbiquitousTransitionTypeKey =
  "NSPersistentStoreUbiquitousTransitionType"

/// Why stores of iCloud change.
public enum NSPersistentStoreUbiquitousTransitionType: UInt, Sendable {
  /// An account came.
  case accountAdded = 1
  /// An account went.
  case accountRemoved
  /// The data of an app were removed.
  case contentRemoved
  /// The first import has ended.
  case initialImportCompleted
}
