package import ObjectModel
import SimulatedDispatch
package import Vocabulary

/// A stack that grows during the run, because an app's code creates it.
extension World {
  /// Replaces the stack and the model with larger ones, which begin with the present ones. The
  /// settings of present contexts may differ.
  ///
  /// - Complexity: Linear in the added parts, and in the number of contexts.
  package mutating func grow(to larger: Stack, model: ObjectModel) {
    graph.grow(to: larger, model: model)
    for _ in queues.ofCoordinators.count..<larger.coordinators.count {
      queues.ofCoordinators.append(dispatcher.makeQueue())
    }
    for _ in queues.ofApp.count..<larger.queues.count {
      queues.ofApp.append(dispatcher.makeQueue())
    }
    for index in queues.ofContexts.count..<larger.contexts.count {
      addQueue(of: ContextID(index), larger)
    }
  }

  /// Adopts texts that were added to the model's symbols.
  package mutating func adopt(_ symbols: SymbolTable) { graph.adopt(symbols) }

  private mutating func addQueue(of id: ContextID, _ stack: Stack) {
    switch stack[id].concurrencyType {
    case .mainQueue, .confinement: queues.ofContexts.append(queues.main)
    case .privateQueue: queues.ofContexts.append(dispatcher.makeQueue())
    }
    let lock = queues.ofCoordinators[stack.coordinator(of: id).index]
    let above = stack.chain(from: id).dropFirst().map { queues.ofContexts[$0.index] }
    queues.aboveContexts.append(Queues.Above(above + [lock]))
  }
}
