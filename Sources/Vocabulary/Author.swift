/// The code that takes a step: the program, or a part of the stack's design.
///
/// What a block of the design enqueues, calls or waits for is the design's, too. Parts are in the
/// order of the stack, observers before entry points.
package enum Author: Hashable, Comparable, Sendable {
  case program
  /// Index in the stack's observers.
  case observer(Int)
  case entryPoint(EntryPointID)

  package var isDesign: Bool { self != .program }

  package var isObserver: Bool { if case .observer = self { true } else { false } }
}
