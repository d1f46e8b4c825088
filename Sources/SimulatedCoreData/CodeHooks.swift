package import ObjectModel
package import Vocabulary

/// The hooks that an app's classes override, in a world that code drives.
///
/// A reference, and equal to every other: a world that code drives is neither copied nor compared.
package final class CodeHooks: Hashable {
  /// Runs the override for an object in the middle of an action; whether it changed the object.
  package typealias Body = (inout World, Hook, ContextID, ObjectID) -> Bool

  fileprivate let body: Body
  /// The calls of the running action, in the order in which they began.
  package fileprivate(set) var calls: [HookCall] = []
  /// Those that have not returned, by index, the innermost last.
  fileprivate var open: [Int] = []

  package init(_ body: @escaping Body) { self.body = body }

  package static func == (a: CodeHooks, b: CodeHooks) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}

  func beginAction() {
    assert(open.isEmpty, "an action begins while a hook runs")
    calls.removeAll(keepingCapacity: true)
  }
}

extension World {
  /// Calls what the object's class does in the hook; whether it changed the object.
  mutating func callCode(_ hook: Hook, _ id: ObjectID, in context: ContextID) -> Bool {
    guard let code else { return false }
    let index = code.calls.count
    code.calls.append(HookCall(hook: hook, context: context, object: id))
    code.open.append(index)
    let changesObject = code.body(&self, hook, context, id)
    precondition(code.open.popLast() == index, "hooks return in another order than they began")
    code.calls[index].changesObject = changesObject
    return changesObject
  }

  /// A step that a hook takes, as part of the action that runs. Answers what came of it.
  package mutating func performInHook(_ step: AddressedStep) -> [Event] {
    noteDeed(.step(step))
    let count = events.count
    do throws(StepFailure) {
      try perform(step.step, in: step.context)
    } catch {
      fail(with: error.failure)
    }
    return Array(events[count...])
  }

  /// As `hold`, in a hook.
  package mutating func holdInHook(_ id: ObjectID, in context: ContextID, as name: ObjectName) {
    noteDeed(.hold(id, context, name))
    hold(id, in: context, as: name)
  }

  private func noteDeed(_ deed: HookCall.Deed) {
    guard let code, let index = code.open.last else {
      preconditionFailure("code acts as a hook while none runs")
    }
    code.calls[index].deeds.append(deed)
  }
}
