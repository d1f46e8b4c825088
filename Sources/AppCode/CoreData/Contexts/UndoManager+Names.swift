public import Foundation

extension Notification.Name {
  /// Posted before an undo manager examines its groups.
  public static let NSUndoManagerCheckpoint = Notification.Name(
    "NSUndoManagerCheckpointNotification")
  /// Posted after a group was opened.
  public static let NSUndoManagerDidOpenUndoGroup = Notification.Name(
    "NSUndoManagerDidOpenUndoGroupNotification")
  /// Posted before a group is closed.
  public static let NSUndoManagerWillCloseUndoGroup = Notification.Name(
    "NSUndoManagerWillCloseUndoGroupNotification")
  /// Posted after a group was closed.
  public static let NSUndoManagerDidCloseUndoGroup = Notification.Name(
    "NSUndoManagerDidCloseUndoGroupNotification")
  /// Posted before a group is undone.
  public static let NSUndoManagerWillUndoChange = Notification.Name(
    "NSUndoManagerWillUndoChangeNotification")
  /// Posted after a group was undone.
  public static let NSUndoManagerDidUndoChange = Notification.Name(
    "NSUndoManagerDidUndoChangeNotification")
  /// Posted before a group is redone.
  public static let NSUndoManagerWillRedoChange = Notification.Name(
    "NSUndoManagerWillRedoChangeNotification")
  /// Posted after a group was redone.
  public static let NSUndoManagerDidRedoChange = Notification.Name(
    "NSUndoManagerDidRedoChangeNotification")
}

/// The names of groups, which menus show.
extension UndoManager {
  func post(_ name: Notification.Name) {
    RunState.ifRunning?.notificationCenter.post(name: name, object: self)
  }

  /// Sets the name of the innermost open group or, without an open group, of the last group.
  public func setActionName(_ name: String) {
    processPendingChanges()
    if !openGroups.isEmpty {
      openGroups[openGroups.count - 1].name = name
    } else if !undoGroups.isEmpty {
      undoGroups[undoGroups.count - 1].name = name
    }
  }

  /// Sets whether the actions of the innermost open group, or of the last group, are discardable.
  public func setActionIsDiscardable(_ isDiscardable: Bool) {
    if !openGroups.isEmpty {
      openGroups[openGroups.count - 1].isDiscardable = isDiscardable
    } else if !undoGroups.isEmpty {
      undoGroups[undoGroups.count - 1].isDiscardable = isDiscardable
    }
  }

  /// A Boolean value that indicates whether the next group to undo is discardable.
  public var undoActionIsDiscardable: Bool { undoGroups.last?.isDiscardable ?? false }
  /// A Boolean value that indicates whether the next group to redo is discardable.
  public var redoActionIsDiscardable: Bool { redoGroups.last?.isDiscardable ?? false }

  /// The name of the next group to undo, or an empty string.
  public var undoActionName: String {
    absorb()
    return undoGroups.last?.name ?? ""
  }
  /// The name of the next group to redo, or an empty string.
  public var redoActionName: String {
    absorb()
    return redoGroups.last?.name ?? ""
  }

  /// The text "Undo", followed by the name of the next group to undo.
  public var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
  /// The text "Redo", followed by the name of the next group to redo.
  public var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// Returns the text "Undo", followed by a name.
  public func undoMenuTitle(forUndoActionName name: String) -> String {
    name.isEmpty ? "Undo" : "Undo \(name)"
  }

  /// Returns the text "Redo", followed by a name.
  public func redoMenuTitle(forUndoActionName name: String) -> String {
    name.isEmpty ? "Redo" : "Redo \(name)"
  }
}
