import SimulatedDispatch
package import Vocabulary

/// The abstract state of a world around one of its contexts, without names, values and numbers.
extension World {
  /// Returns the shape of the stack around `context` in 10 bits, the same in every build.
  ///
  /// The shape contains the level of the context, and which kinds of changes and faults it has. It
  /// also contains whether an ancestor has changes, and whether the context or the row cache is
  /// behind the store. The last bit indicates whether several lanes can run. With more detail,
  /// nearly every run would produce a new shape.
  ///
  /// - Complexity: Examines the instances of the context, and of its ancestors up to the first
  ///   ancestor with changes.
  package func shape(around context: ContextID) -> UInt64 {
    graph.shape(around: context) << 1 | (dispatcher.runnableCount > 1 ? 1 : 0)
  }
}
