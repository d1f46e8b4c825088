public import Foundation
import Vocabulary

/// What a save does where the store has changed meanwhile.
public enum NSMergePolicyType: UInt, Sendable {
  /// The save fails.
  case errorMergePolicyType
  /// Of a property that both have changed, the store's value stays.
  case mergeByPropertyStoreTrumpMergePolicyType
  /// Of a property that both have changed, the object's value is saved.
  case mergeByPropertyObjectTrumpMergePolicyType
  /// The object is saved as it is.
  case overwriteMergePolicyType
  /// The object's changes are dropped.
  case rollbackMergePolicyType

  var policy: MergePolicy {
    switch self {
    case .errorMergePolicyType: .error
    case .mergeByPropertyStoreTrumpMergePolicyType: .mergeByPropertyStoreTrump
    case .mergeByPropertyObjectTrumpMergePolicyType: .mergeByPropertyObjectTrump
    case .overwriteMergePolicyType: .overwrite
    case .rollbackMergePolicyType: .rollback
    }
  }
}

/// Resolves the conflicts of a save (MP-01). A subclass of it cannot be used yet.
public final class NSMergePolicy: NSObject, Sendable {
  /// What it does.
  public let mergeType: NSMergePolicyType

  /// A policy of one of the five kinds.
  public init(merge type: NSMergePolicyType) { mergeType = type }

  /// The save fails.
  public static let error = NSMergePolicy(merge: .errorMergePolicyType)
  /// Of a property that both have changed, the store's value stays.
  public static let mergeByPropertyStoreTrump = NSMergePolicy(
    merge: .mergeByPropertyStoreTrumpMergePolicyType)
  /// Of a property that both have changed, the object's value is saved.
  public static let mergeByPropertyObjectTrump = NSMergePolicy(
    merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// The object is saved as it is.
  public static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
  /// The object's changes are dropped.
  public static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)
}

/// `NSMergePolicy.error`, as a global.
public let NSErrorMergePolicy = NSMergePolicy.error
/// `NSMergePolicy.mergeByPropertyStoreTrump`, as a global.
public let NSMergeByPropertyStoreTrumpMergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
/// `NSMergePolicy.mergeByPropertyObjectTrump`, as a global.
public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// `NSMergePolicy.overwrite`, as a global.
public let NSOverwriteMergePolicy = NSMergePolicy.overwrite
/// `NSMergePolicy.rollback`, as a global.
public let NSRollbackMergePolicy = NSMergePolicy.rollback
