import LiveCode
import SimulatedCoreData
import Vocabulary

/// Undoes and redoes the events of a context. Foundation has none on Linux.
open class UndoManager {
  weak var context: NSManagedObjectContext?
  private var disableCount = 0

  /// A manager for one context.
  public init() {}

  private var known: NSManagedObjectContext {
    guard let context else { misuse("an undo manager is used that no context has") }
    return context
  }

  /// Undoes the last event.
  open func undo() { known.undo() }
  /// Redoes what was undone last.
  open func redo() { known.redo() }

  /// Whether there is something to undo.
  open var canUndo: Bool { known.run.look { $0.undoCounts(of: known.id).undo > 0 } }
  /// Whether there is something to redo.
  open var canRedo: Bool { known.run.look { $0.undoCounts(of: known.id).redo > 0 } }

  /// Changes cannot be undone until they are enabled as often (UN-05).
  open func disableUndoRegistration() {
    disableCount += 1
    known.act(.disableUndoRegistration)
  }

  /// Ends what `disableUndoRegistration` began.
  open func enableUndoRegistration() {
    disableCount -= 1
    known.act(.enableUndoRegistration)
  }

  /// Whether changes can be undone.
  open var isUndoRegistrationEnabled: Bool { disableCount == 0 }
}
