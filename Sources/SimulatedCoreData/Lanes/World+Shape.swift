import SimulatedDispatch
package import Vocabulary

/// The look of a world from one of its contexts, without names, values and numbers.
extension World {
  /// The shape of the stack around `context`, in 10 bits, the same in every build: where the
  /// context stands, whether insertions, updates and deletions are unsaved in it and anything above
  /// it, whether it or the row cache is behind the store, and whether several lanes could go on.
  /// Finer, and nearly every run would come to something new. Costs a look at the instances of the
  /// context, and at those above it up to the first with changes.
  package func shape(around context: ContextID) -> UInt64 {
    graph.shape(around: context) << 1 | (dispatcher.runnableCount > 1 ? 1 : 0)
  }
}
