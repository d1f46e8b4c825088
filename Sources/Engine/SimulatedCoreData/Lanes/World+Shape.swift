import SimulatedDispatch
package import Vocabulary

/// The abstract state of a world around one of its contexts, without names, values and numbers.
extension World {
  /// Returns the shape of the stack around `context` in 10 bits, the same in every build.
  ///
  /// The shape contains the level of the context, the kinds of its unsaved changes, and whether it
  /// has faults. Further bits indicate whether an ancestor has changes, whether the context or the
  /// row cache is behind the store, and whether several lanes can run. With more detail, nearly
  /// every run would produce a new shape.
  ///
  /// - Complexity: Examines the instances of the context, and of its ancestors up to the first
  ///   ancestor with changes.
  package func shape(around context: ContextID) -> UInt64 {
    graph.shape(around: context) << 1 | (dispatcher.runnableCount > 1 ? 1 : 0)
  }
}
