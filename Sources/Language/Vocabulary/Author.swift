/// The code that takes a step: the program, or an observer or entry point of the stack.
///
/// The design is also the author of the blocks that it enqueues, the entry points that it calls and
/// the work that it waits for. Cases are ordered: observers precede entry points.
package enum Author: Hashable, Comparable, Sendable {
  case program
  /// An observer, by its index in the stack.
  case observer(Int)
  case entryPoint(EntryPointID)

  package var isDesign: Bool { self != .program }

  package var isObserver: Bool { if case .observer = self { true } else { false } }
}
