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

/// Resolves the conflicts of a save (MP-01).
///
/// A subclass is asked when a save has met conflicts. When its method has returned, the save is
/// tried again by the kind of policy that the subclass was made with; if it throws, the save fails.
open class NSMergePolicy: NSObject, @unchecked Sendable {
  /// What it does.
  public let mergeType: NSMergePolicyType

  /// A policy of one of the five kinds.
  public init(merge type: NSMergePolicyType) { mergeType = type }

  /// Resolves conflicts of either kind, by the method for that kind.
  open func resolve(mergeConflicts list: [Any]) throws {
    if let conflicts = list as? [NSMergeConflict] {
      try resolve(optimisticLockingConflicts: conflicts)
    } else if let conflicts = list as? [NSConstraintConflict] {
      try resolve(constraintConflicts: conflicts)
    }
  }

  /// Resolves conflicts between objects and rows. Throws if the policy is an error policy.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    guard mergeType == .errorMergePolicyType, let state = RunState.ifRunning else { return }
    throw state.mergeError(list)
  }

  /// Resolves conflicts of objects that have to be unique. Throws if the policy is an error policy.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    guard mergeType == .errorMergePolicyType, let state = RunState.ifRunning else { return }
    throw state.constraintError(list)
  }

  /// Whether an app's code has a say.
  var isOfApp: Bool { type(of: self) != NSMergePolicy.self }

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
