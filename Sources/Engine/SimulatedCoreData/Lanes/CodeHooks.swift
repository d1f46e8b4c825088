package import ObjectModel
package import Vocabulary

/// The hooks that an app's classes override, in a world that code drives.
///
/// All instances compare equal, because a world that code drives is neither copied nor compared.
package final class CodeHooks: Hashable {
  /// Runs an override during an action. Returns whether the override changed the object.
  package typealias Body = (inout World, Hook, ContextID, ObjectID) -> Bool

  fileprivate let body: Body
  /// The calls of the running action, in the order in which they began.
  package fileprivate(set) var calls: [HookCall] = []
  /// Indices in `calls` of the hooks that are running, the innermost last.
  fileprivate var open: [Int] = []

  package init(_ body: @escaping Body) { self.body = body }

  package static func == (a: CodeHooks, b: CodeHooks) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}

  /// The lent world while its graph performs an action, or `nil` between actions.
  fileprivate var world: World?

  func beginAction() {
    assert(open.isEmpty, "an action begins while a hook runs")
    calls.removeAll(keepingCapacity: true)
  }
}

extension ObjectGraph {
  /// Runs the override of an object's class, which sees the whole world. §code
  ///
  /// - Returns: A Boolean value that indicates whether the override changed the object.
  mutating func callCode(_ hook: Hook, _ id: ObjectID, in context: ContextID) -> Bool {
    guard let code else { return false }
    let index = code.calls.count
    code.calls.append(HookCall(hook: hook, context: context, object: id))
    code.open.append(index)
    guard var world = code.world.take() else {
      preconditionFailure("a hook runs outside of an action")
    }
    swap(&world.graph, &self)
    let changesObject = code.body(&world, hook, context, id)
    swap(&world.graph, &self)
    code.world = consume world
    precondition(code.open.popLast() == index, "hooks return in another order than they began")
    code.calls[index].changesObject = changesObject
    return changesObject
  }

  /// Performs a step of a hook, as part of the running action.
  fileprivate mutating func performInHook(_ step: AddressedStep) -> [Event] {
    let count = result.events.count
    do throws(StepFailure) {
      try perform(step.step, in: step.context)
    } catch {
      fail(with: error.failure)
    }
    return Array(result.events[count...])
  }
}

extension World {
  /// Calls `body` with the graph. Overrides of an app's classes receive the whole world, which is
  /// lent to `code` during the call.
  mutating func act<Result>(_ body: (inout ObjectGraph) -> Result) -> Result {
    guard let code = graph.code else { return body(&graph) }
    var graph = ObjectGraph(inPlaceOf: self.graph)
    swap(&graph, &self.graph)
    var world = World(inPlaceOf: graph)
    swap(&world, &self)
    assert(code.world == nil, "a world is lent twice")
    code.world = consume world
    let result = body(&graph)
    guard let lent = code.world.take() else { preconditionFailure("a hook has kept the world") }
    self = lent
    self.graph = consume graph
    return result
  }

  /// Performs a step of a hook, as part of the running action, and returns its events.
  package mutating func performInHook(_ step: AddressedStep) -> [Event] {
    note(.step(step))
    return act { $0.performInHook(step) }
  }

  /// Makes a hook hold an instance under `name`, as `hold(_:in:as:)` does outside of hooks.
  package mutating func holdInHook(_ id: ObjectID, in context: ContextID, as name: ObjectName) {
    note(.hold(id, context, name))
    hold(id, in: context, as: name)
  }

  private func note(_ operation: HookCall.Operation) {
    guard let code, let index = code.open.last else {
      preconditionFailure("code acts as a hook while none runs")
    }
    code.calls[index].operations.append(operation)
  }
}
