package import ObjectModel
package import Vocabulary

/// Stacks that grow while code uses them, with classes that override hooks.
extension ReferenceStack {
  /// Adopts a stack declaration that extends the present one.
  package mutating func grow(to larger: Stack, model: ObjectModel) {
    let earlier = stack.contexts
    setting =
      model.entities.count == self.model.entities.count
      ? Setting(setting, model, larger) : Setting(model, larger)
    for _ in stores.count..<larger.stores.count {
      stores.append(Store())
      for index in coordinators.indices { coordinators[index].pendingMetadata.append(nil) }
    }
    let declared = ReferenceStack.coordinators(of: larger)
    for index in coordinators.count..<declared.count {
      coordinators.append(declared[index])
      rowCaches.append(IDTable())
    }
    for _ in lists.count..<larger.controllers.count { lists.append(ResultsList()) }
    for index in contexts.count..<larger.contexts.count {
      contexts.append(Context(ContextID(index), in: larger))
    }
    ReferenceStack.link(&contexts, of: larger)
    for index in earlier.indices where earlier[index] != larger.contexts[index] {
      contexts[index].follow(larger.contexts[index])
    }
  }

  /// Adopts a symbol table with additional texts.
  package mutating func adopt(_ symbols: SymbolTable) {
    var model = model
    model.symbols = symbols
    setting = Setting(setting, model, stack)
  }

  /// Makes code hold an instance, which is registered if necessary.
  package mutating func hold(_ id: ObjectID, in c: ContextID, as name: ObjectName) {
    bind(name, to: reach(id, in: c), in: c)
  }

  /// Runs an override, and returns whether it changed the object. §code
  @discardableResult
  mutating func followCode(_ hook: Hook, _ x: ObjectID, in c: ContextID) -> Bool {
    guard let call = hookCalls.first, call.hook == hook, call.context == c, call.object == x else {
      return false
    }
    hookCalls.removeFirst()
    for operation in call.operations {
      switch operation {
      case .step(let step): run(step.step, .whole, in: step.context)
      case .hold(let id, let context, let name): hold(id, in: context, as: name)
      }
    }
    return call.changesObject
  }
}
