/// Option without effect. Core Data supported stores in iCloud before
/// `NSPersistentCloudKitContainer`. Apple has deprecated their names, and the simulation never
/// posts their notifications.
public let NSPersistentStoreUbiquitousContentNameKey = "NSPersistentStoreUbiquitousContentName"
/// Option without effect.
public let NSPersistentStoreUbiquitousContentURLKey = "NSPersistentStoreUbiquitousContentURL"
/// User info key of a transition in a notification about stores.
public let NSPersistentStoreUbiquitousTransitionTypeKey =
  "NSPersistentStoreUbiquitousTransitionType"

/// The reasons for a change of iCloud stores.
public enum NSPersistentStoreUbiquitousTransitionType: UInt, Sendable {
  /// An account was added.
  case accountAdded = 1
  /// An account was removed.
  case accountRemoved
  /// The app's data was removed.
  case contentRemoved
  /// The first import has completed.
  case initialImportCompleted
}
