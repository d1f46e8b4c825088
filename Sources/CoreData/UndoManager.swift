public import Foundation
import LiveCode
import SimulatedCoreData
import Vocabulary

/// Undoes and redoes what was registered with it: events of contexts, and calls of the app's own.
/// Foundation has none on Linux.
///
/// An event of a context is a group, unless it falls between `beginUndoGrouping` and
/// `endUndoGrouping` (UN-06). `groupsByEvent` is kept, and of no effect on that: a turn of the run
/// loop opens no group.
open class UndoManager: NSObject {
  enum Action {
    /// An event that the engine undoes.
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
  /// Groups that have been begun and not ended, the innermost at the end.
  var openGroups: [Group] = []
  var contexts: [Registration] = []
  private var disableCount = 0

  /// Whether an undo is going on.
  open internal(set) var isUndoing = false
  /// Whether a redo is going on.
  open internal(set) var isRedoing = false
  /// Whether a turn of the run loop is a group; kept, and of no effect: events of contexts are.
  open var groupsByEvent = true
  /// How many groups can be undone; 0 is no limit.
  open var levelsOfUndo = 0 {
    didSet { trim() }
  }
  /// In which modes of the run loop groups are closed; of no effect.
  open var runLoopModes: [RunLoop.Mode] = [.default]

  /// A manager that no context has yet.
  public override init() {}

  // MARK: Groups

  /// How many groups are open.
  open var groupingLevel: Int { openGroups.count }

  /// Opens a group: what is registered until it ends is undone at once.
  open func beginUndoGrouping() {
    processPendingChanges()
    post(.NSUndoManagerCheckpoint)
    openGroups.append(Group())
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  /// Ends the innermost group. Traps if there is none.
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

  /// Adds to the innermost group, or as a group of its own.
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

  /// Whether there is something to undo.
  open var canUndo: Bool {
    absorb()
    return !undoGroups.isEmpty || openGroups.contains { !$0.actions.isEmpty }
  }
  /// Whether there is something to redo.
  open var canRedo: Bool {
    absorb()
    return !redoGroups.isEmpty
  }

  /// Ends the group that is open, and undoes the last one.
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

  /// Redoes what was undone last.
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

  /// What it registers is a group of the other stack, with the same name.
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

  /// Has `handler` called with the target when this is undone.
  open func registerUndo<Target: AnyObject>(
    withTarget target: Target, handler: @escaping (Target) -> Void
  ) {
    absorb()
    register(.call(target: target) { handler(target) })
  }

  /// The same, with a selector.
  open func registerUndo(withTarget target: Any, selector: SimulatedSelector, object: Any?) {
    absorb()
    register(.call(target: target as AnyObject) { selector.call(target, object) })
  }

  /// Forgets everything.
  open func removeAllActions() {
    processPendingChanges()
    (undoGroups, redoGroups) = ([], [])
    for index in openGroups.indices { openGroups[index].actions = [] }
    disableCount = 0
  }

  /// Forgets what was registered with a target.
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

  /// Changes cannot be undone until they are enabled as often (UN-05).
  open func disableUndoRegistration() {
    absorb()
    disableCount += 1
    for context in knownContexts { context.act(.disableUndoRegistration) }
  }

  /// Ends what `disableUndoRegistration` began.
  open func enableUndoRegistration() {
    guard disableCount > 0 else {
      misuse("enableUndoRegistration is called without a matching disableUndoRegistration")
    }
    disableCount -= 1
    for context in knownContexts { context.act(.enableUndoRegistration) }
  }

  /// Whether changes can be undone.
  open var isUndoRegistrationEnabled: Bool { disableCount == 0 }
}
