/// A part that makes the compiler hand its whole over by address.
///
/// A struct of which it knows every part is handed over part by part, and one of dozens of parts by
/// way of a copy on the stack: each question to a `World` inside another value copied a kilobyte,
/// some thirty times for one step (a tenth of its time). Of an existential the compiler does not
/// know the parts. It holds nothing, is equal to any other, and costs 32 bytes.
///
/// It does not spare every copy: a closure that asks such a value, in a method that changes it,
/// gets a copy with every reference counted. Such expressions belong into methods that change
/// nothing.
package struct HeldInPlace: Hashable, Sendable {
  private let unknown: (any Sendable)? = nil

  package init() {}

  package static func == (some: HeldInPlace, other: HeldInPlace) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
