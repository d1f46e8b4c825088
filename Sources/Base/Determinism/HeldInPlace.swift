/// A member that makes the compiler pass its enclosing struct by address.
///
/// The compiler passes a struct with known members one member at a time, and copies a struct with
/// dozens of members to the stack first. Each call on a `World` inside another value copied a
/// kilobyte, about thirty times a step, which took a tenth of the step's time. The compiler cannot
/// know the members of an existential. The existential here is empty and takes 32 bytes, and all
/// instances are equal.
///
/// Some copies remain. A closure that reads such a value in a mutating method receives a copy, and
/// each reference in the copy is retained. Move such expressions into methods that do not mutate.
package struct HeldInPlace: Hashable, Sendable {
  private let unknown: (any Sendable)? = nil

  package init() {}

  package static func == (some: HeldInPlace, other: HeldInPlace) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
