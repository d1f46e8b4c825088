import ObjectModel
import Vocabulary

/// A stack that grows during the run, because an app's code creates it.
extension ObjectGraph {
  /// Replaces the stack and the model with larger ones, which begin with the present ones. The
  /// settings of present contexts may differ.
  ///
  /// - Complexity: Linear in the added parts, and in the number of contexts.
  mutating func grow(to larger: Stack, model: ObjectModel) {
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
    }
    for _ in controllers.count..<larger.controllers.count {
      controllers.append(ResultsController())
    }
    for index in contexts.count..<larger.contexts.count {
      contexts.append(ManagedObjectContext(ContextID(index), in: larger))
    }
    for index in contexts.indices {
      let isAsDeclared = index < declared.count && larger.contexts[index] == declared[index]
      if !isAsDeclared { contexts[index].follow(larger) }
    }
    for index in declared.count..<contexts.count {
      if let parent = contexts[index].parent { contexts[parent.index].follow(larger) }
    }
  }

  /// Adopts texts that were added to the model's symbols.
  mutating func adopt(_ symbols: SymbolTable) {
    var model = model
    model.symbols = symbols
    setting = setting.growing(to: stack, model)
  }
}
