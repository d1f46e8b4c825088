public import Foundation
import LiveCode
import SimulatedCoreData
import Vocabulary

/// Undoes and redoes registered actions, which are events of contexts and app-defined calls.
/// Foundation lacks this class on Linux.
///
/// Each event of a context forms a group, unless it occurs between `beginUndoGrouping` and
/// `endUndoGrouping` (UN-06). `groupsByEvent` does not affect groups, because a turn of the run
/// loop opens none.
open class UndoManager: NSObject {
  enum Action {
    /// An event of a context, which the engine undoes.
    case event(NSManagedObjectContext)
    case call(target: AnyObject, () -> Void)
  }

  struct Group {
    var actions: [Action] = []
    var name = ""
    var isDiscardable = false
  }

  var undoGroups: [Group] = []
  var redoGroups: [Group] = []
  /// The groups that have begun but not ended. The innermost group is last.
  var openGroups: [Group] = []
  var contexts: [Registration] = []
  private var disableCount = 0

  /// A Boolean value that indicates whether an undo is in progress.
  open internal(set) var isUndoing = false
  /// A Boolean value that indicates whether a redo is in progress.
  open internal(set) var isRedoing = false
  /// A Boolean value that indicates whether each turn of the run loop is a group. The value has no
  /// effect, because events of contexts form groups.
  open var groupsByEvent = true
  /// The maximum number of groups that can be undone. 0 means no limit.
  open var levelsOfUndo = 0 {
    didSet { trim() }
  }
  /// The modes of the run loop in which groups are closed, which have no effect.
  open var runLoopModes: [RunLoop.Mode] = [.default]

  /// Creates an undo manager without contexts.
  public override init() {}

  // MARK: Groups

  /// The number of open groups.
  open var groupingLevel: Int { openGroups.count }

  /// Opens a group. All actions that are registered before its end are undone together.
  open func beginUndoGrouping() {
    processPendingChanges()
    post(.NSUndoManagerCheckpoint)
    openGroups.append(Group())
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  /// Ends the innermost group. Traps if no group is open.
  open func endUndoGrouping() {
    processPendingChanges()
    post(.NSUndoManagerCheckpoint)
    post(.NSUndoManagerWillCloseUndoGroup)
    guard let group = openGroups.popLast() else {
      misuse("endUndoGrouping is called without a matching beginUndoGrouping")
    }
    if openGroups.isEmpty {
      push(group)
    } else {
      openGroups[openGroups.count - 1].actions += group.actions
      if !group.name.isEmpty { openGroups[openGroups.count - 1].name = group.name }
    }
    post(.NSUndoManagerDidCloseUndoGroup)
  }

  /// Adds an action to the innermost open group, or as a separate group.
  func register(_ action: Action) {
    guard isUndoRegistrationEnabled else { return }
    if openGroups.isEmpty {
      push(Group(actions: [action]))
    } else {
      openGroups[openGroups.count - 1].actions.append(action)
    }
    if !isUndoing, !isRedoing { redoGroups = [] }
  }

  private func push(_ group: Group) {
    guard !group.actions.isEmpty else { return }
    if isUndoing {
      redoGroups.append(group)
    } else {
      undoGroups.append(group)
      trim()
    }
  }

  private func trim() {
    guard levelsOfUndo > 0 else { return }
    undoGroups = undoGroups.suffix(levelsOfUndo)
    redoGroups = redoGroups.suffix(levelsOfUndo)
  }

  // MARK: Undoing

  /// A Boolean value that indicates whether an action can be undone.
  open var canUndo: Bool {
    absorb()
    return !undoGroups.isEmpty || openGroups.contains { !$0.actions.isEmpty }
  }
  /// A Boolean value that indicates whether an action can be redone.
  open var canRedo: Bool {
    absorb()
    return !redoGroups.isEmpty
  }

  /// Ends the open group, if any, and undoes the last group. Traps if several groups are open.
  open func undo() {
    processPendingChanges()
    if openGroups.count == 1 { endUndoGrouping() }
    undoNestedGroup()
  }

  /// Undoes the last group. Traps while a group is open.
  open func undoNestedGroup() {
    processPendingChanges()
    post(.NSUndoManagerCheckpoint)
    guard openGroups.isEmpty else { misuse("undo is called with too many nested undo groups") }
    guard let group = undoGroups.popLast() else { return }
    post(.NSUndoManagerWillUndoChange)
    isUndoing = true
    carryOut(group)
    isUndoing = false
    post(.NSUndoManagerDidUndoChange)
  }

  /// Redoes the group that was undone last.
  open func redo() {
    processPendingChanges()
    post(.NSUndoManagerCheckpoint)
    guard let group = redoGroups.popLast() else { return }
    post(.NSUndoManagerWillRedoChange)
    isRedoing = true
    carryOut(group)
    isRedoing = false
    post(.NSUndoManagerDidRedoChange)
  }

  /// Carries out a group in reverse. Actions registered meanwhile form a group of the other stack,
  /// with the same name.
  private func carryOut(_ group: Group) {
    openGroups.append(Group(name: group.name))
    for action in group.actions.reversed() {
      switch action {
      case .event(let context): carryOut(in: context)
      case .call(_, let body): body()
      }
    }
    if let group = openGroups.popLast() { push(group) }
  }

  // MARK: Registering

  /// Registers a call of `handler` with the target for the next undo.
  open func registerUndo<Target: AnyObject>(
    withTarget target: Target, handler: @escaping (Target) -> Void
  ) {
    absorb()
    register(.call(target: target) { handler(target) })
  }

  /// Registers a call of a method for the next undo.
  open func registerUndo(withTarget target: Any, selector: SimulatedSelector, object: Any?) {
    absorb()
    register(.call(target: target as AnyObject) { selector.call(target, object) })
  }

  /// Removes all registered actions.
  open func removeAllActions() {
    processPendingChanges()
    (undoGroups, redoGroups) = ([], [])
    for index in openGroups.indices { openGroups[index].actions = [] }
    disableCount = 0
  }

  /// Removes all actions that were registered with a target.
  open func removeAllActions(withTarget target: Any) {
    absorb()
    remove { $0 === target as AnyObject }
  }

  func remove(_ isMeant: (AnyObject) -> Bool) {
    func rest(_ groups: [Group]) -> [Group] {
      groups.map { group in
        var group = group
        group.actions.removeAll { action in
          switch action {
          case .event(let context): isMeant(context)
          case .call(let target, _): isMeant(target)
          }
        }
        return group
      }
    }
    undoGroups = rest(undoGroups).filter { !$0.actions.isEmpty }
    redoGroups = rest(redoGroups).filter { !$0.actions.isEmpty }
    openGroups = rest(openGroups)
  }

  /// Disables undo registration until `enableUndoRegistration` has been called equally often
  /// (UN-05).
  open func disableUndoRegistration() {
    absorb()
    disableCount += 1
    for context in knownContexts { context.act(.disableUndoRegistration) }
  }

  /// Ends one call of `disableUndoRegistration`.
  open func enableUndoRegistration() {
    guard disableCount > 0 else {
      misuse("enableUndoRegistration is called without a matching disableUndoRegistration")
    }
    disableCount -= 1
    for context in knownContexts { context.act(.enableUndoRegistration) }
  }

  /// A Boolean value that indicates whether changes are registered for undo.
  open var isUndoRegistrationEnabled: Bool { disableCount == 0 }
}
