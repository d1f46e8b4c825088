import ObjectModel
import Vocabulary

/// Steps that control time, queues and variables, which are not part of Core Data.
extension TestWriter {
  mutating func arrangementStatements(
    _ step: AddressedStep, place: Place
  ) throws(Refusal) -> [Statement] {
    switch step.step {
    case .tick:
      guard place.onMain, place.contexts.isEmpty else {
        throw refusal(step, "only the test's own code can turn the main run loop")
      }
      return [.line("RunLoop.current.run(until: Date())")]
    case .sleep(let milliseconds):
      return [.line("Thread.sleep(forTimeInterval: \(Double(milliseconds) / 1_000))")]
    case .setFlag(let flag, let isRaised):
      try checkOrder(ofFlagIn: step)
      return [.line("\(names[flag]) = \(isRaised)")]
    case .enter(let group): return [.line("\(names[group]).enter()")]
    case .leave(let group): return [.line("\(names[group]).leave()")]
    case .wait(let group): return wait(for: group)
    case .suspend(let queue):
      guard let queue else { throw refusal(step, "a context's queue cannot be suspended") }
      return [.line("\(names[queue]).suspend()")]
    case .resume(let queue):
      guard let queue else { throw refusal(step, "a context's queue cannot be resumed") }
      return [.line("\(names[queue]).resume()")]
    case .call(let entry):
      return [.line("try \(names[entry])()")]
    case .release(let name):
      guard let variable = names[HeldInstance(step.context, name)] else { return [] }
      return [.line("\(variable) = nil")]
    case .discard: return discardStatements(step, answer(to: step))
    default:
      currentLists = []
      return [.line("try openStack()")]
    }
  }

  /// Refuses a step that accesses a flag if queues overtake each other, because no gate orders
  /// accesses to flags.
  func checkOrder(ofFlagIn step: AddressedStep) throws(Refusal) {
    if interleaving == nil { return }
    throw refusal(step, "a test cannot control when a queue reads or sets a flag")
  }
}
