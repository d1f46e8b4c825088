public import Foundation

extension Notification.Name {
  /// Posted when an undo manager is about to look at its groups.
  public static let NSUndoManagerCheckpoint = Notification.Name(
    "NSUndoManagerCheckpointNotification")
  /// A group was opened.
  public static let NSUndoManagerDidOpenUndoGroup = Notification.Name(
    "NSUndoManagerDidOpenUndoGroupNotification")
  /// A group is about to be closed.
  public static let NSUndoManagerWillCloseUndoGroup = Notification.Name(
    "NSUndoManagerWillCloseUndoGroupNotification")
  /// A group was closed.
  public static let NSUndoManagerDidCloseUndoGroup = Notification.Name(
    "NSUndoManagerDidCloseUndoGroupNotification")
  /// A group is about to be undone.
  public static let NSUndoManagerWillUndoChange = Notification.Name(
    "NSUndoManagerWillUndoChangeNotification")
  /// A group was undone.
  public static let NSUndoManagerDidUndoChange = Notification.Name(
    "NSUndoManagerDidUndoChangeNotification")
  /// A group is about to be redone.
  public static let NSUndoManagerWillRedoChange = Notification.Name(
    "NSUndoManagerWillRedoChangeNotification")
  /// A group was redone.
  public static let NSUndoManagerDidRedoChange = Notification.Name(
    "NSUndoManagerDidRedoChangeNotification")
}

/// What menus say of the groups.
extension UndoManager {
  func post(_ name: Notification.Name) {
    RunState.ifRunning?.notificationCenter.post(name: name, object: self)
  }

  /// Names what the innermost group undoes; without an open group, the last one.
  public func setActionName(_ name: String) {
    processPendingChanges()
    if !openGroups.isEmpty {
      openGroups[openGroups.count - 1].name = name
    } else if !undoGroups.isEmpty {
      undoGroups[undoGroups.count - 1].name = name
    }
  }

  /// Marks what the group undoes as something that may be lost.
  public func setActionIsDiscardable(_ isDiscardable: Bool) {
    if !openGroups.isEmpty {
      openGroups[openGroups.count - 1].isDiscardable = isDiscardable
    } else if !undoGroups.isEmpty {
      undoGroups[undoGroups.count - 1].isDiscardable = isDiscardable
    }
  }

  /// Whether what would be undone may be lost.
  public var undoActionIsDiscardable: Bool { undoGroups.last?.isDiscardable ?? false }
  /// Whether what would be redone may be lost.
  public var redoActionIsDiscardable: Bool { redoGroups.last?.isDiscardable ?? false }

  /// The name of what would be undone; empty without one.
  public var undoActionName: String {
    absorb()
    return undoGroups.last?.name ?? ""
  }
  /// The name of what would be redone; empty without one.
  public var redoActionName: String {
    absorb()
    return redoGroups.last?.name ?? ""
  }

  /// "Undo", with the name.
  public var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
  /// "Redo", with the name.
  public var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// "Undo", with a name.
  public func undoMenuTitle(forUndoActionName name: String) -> String {
    name.isEmpty ? "Undo" : "Undo \(name)"
  }

  /// "Redo", with a name.
  public func redoMenuTitle(forUndoActionName name: String) -> String {
    name.isEmpty ? "Redo" : "Redo \(name)"
  }
}
