package import ObjectModel
import SimulatedDispatch
package import Vocabulary

/// A stack that grows while it is used, as an app's code makes it.
extension World {
  /// Takes over a declaration that begins with the present one, whose contexts may be set up
  /// otherwise, and a model that begins with the present one. Costs what is new, and a look at each
  /// context.
  package mutating func grow(to larger: Stack, model: ObjectModel) {
    precondition(
      larger.contexts.count >= contexts.count && larger.stores.count >= stores.count
        && larger.coordinators.count >= coordinators.count,
      "a stack that shrinks")
    let declared = stack.contexts
    setting = setting.growing(to: larger, model)
    for _ in stores.count..<larger.stores.count {
      stores.append(RowTable())
      metadata.append(0)
      refusals.append(nil)
      temporaryIDs.append([])
      for index in coordinators.indices { coordinators[index].addStore() }
    }
    for index in coordinators.count..<larger.coordinators.count {
      coordinators.append(
        PersistentStoreCoordinator(
          stores: larger.coordinators[index].stores, storeCount: larger.stores.count))
      queues.ofCoordinators.append(dispatcher.makeQueue())
    }
    for _ in queues.ofApp.count..<larger.queues.count {
      queues.ofApp.append(dispatcher.makeQueue())
    }
    for _ in controllers.count..<larger.controllers.count {
      controllers.append(ResultsController())
    }
    for index in contexts.count..<larger.contexts.count { addContext(ContextID(index), larger) }
    for index in contexts.indices {
      let isAsDeclared = index < declared.count && larger.contexts[index] == declared[index]
      if !isAsDeclared { contexts[index].follow(larger) }
    }
    for index in declared.count..<contexts.count {
      if let parent = contexts[index].parent { contexts[parent.index].follow(larger) }
    }
  }

  /// Takes over texts that were added to the model's.
  package mutating func adopt(_ symbols: SymbolTable) {
    var model = model
    model.symbols = symbols
    setting = setting.growing(to: stack, model)
  }

  private mutating func addContext(_ id: ContextID, _ stack: Stack) {
    contexts.append(ManagedObjectContext(id, in: stack))
    switch stack[id].concurrencyType {
    case .mainQueue, .confinement: queues.ofContexts.append(queues.main)
    case .privateQueue: queues.ofContexts.append(dispatcher.makeQueue())
    }
    let lock = queues.ofCoordinators[stack.coordinator(of: id).index]
    let above = stack.chain(from: id).dropFirst().map { queues.ofContexts[$0.index] }
    queues.aboveContexts.append(Queues.Above(above + [lock]))
  }
}
