public import Foundation
import Vocabulary

/// The ways in which a save handles an object whose row has changed in the store.
public enum NSMergePolicyType: UInt, Sendable {
  /// Makes a save with conflicts fail.
  case errorMergePolicyType
  /// Keeps the store's value of a property that both sides have changed.
  case mergeByPropertyStoreTrumpMergePolicyType
  /// Saves the object's value of a property that both sides have changed.
  case mergeByPropertyObjectTrumpMergePolicyType
  /// Saves the object as it is.
  case overwriteMergePolicyType
  /// Discards the object's changes.
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
/// A save that finds conflicts calls the method of a subclass. When the method returns, the save is
/// tried again with the subclass's `mergeType`. If the method throws, the save fails.
open class NSMergePolicy: NSObject, @unchecked Sendable {
  /// The kind of the policy.
  public let mergeType: NSMergePolicyType

  /// Creates a policy of one of the five kinds.
  public init(merge type: NSMergePolicyType) { mergeType = type }

  /// Resolves conflicts with the method for their kind.
  open func resolve(mergeConflicts list: [Any]) throws {
    if let conflicts = list as? [NSMergeConflict] {
      try resolve(optimisticLockingConflicts: conflicts)
    } else if let conflicts = list as? [NSConstraintConflict] {
      try resolve(constraintConflicts: conflicts)
    }
  }

  /// Resolves conflicts between objects and rows. Throws an error if the policy is an error policy.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    guard mergeType == .errorMergePolicyType, let state = RunState.ifRunning else { return }
    throw state.mergeError(list)
  }

  /// Resolves conflicts between objects that violate a uniqueness constraint. Throws an error if
  /// the policy is an error policy.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    guard mergeType == .errorMergePolicyType, let state = RunState.ifRunning else { return }
    throw state.constraintError(list)
  }

  /// A Boolean value that indicates whether the policy is an app-defined subclass.
  var isOfApp: Bool { type(of: self) != NSMergePolicy.self }

  /// Makes a save with conflicts fail.
  public static let error = NSMergePolicy(merge: .errorMergePolicyType)
  /// Keeps the store's value of a property that both sides have changed.
  public static let mergeByPropertyStoreTrump = NSMergePolicy(
    merge: .mergeByPropertyStoreTrumpMergePolicyType)
  /// Saves the object's value of a property that both sides have changed.
  public static let mergeByPropertyObjectTrump = NSMergePolicy(
    merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// Saves the object as it is.
  public static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
  /// Discards the object's changes.
  public static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)
}

/// The global name of `NSMergePolicy.error`.
public let NSErrorMergePolicy = NSMergePolicy.error
/// The global name of `NSMergePolicy.mergeByPropertyStoreTrump`.
public let NSMergeByPropertyStoreTrumpMergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
/// The global name of `NSMergePolicy.mergeByPropertyObjectTrump`.
public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// The global name of `NSMergePolicy.overwrite`.
public let NSOverwriteMergePolicy = NSMergePolicy.overwrite
/// The global name of `NSMergePolicy.rollback`.
public let NSRollbackMergePolicy = NSMergePolicy.rollback
