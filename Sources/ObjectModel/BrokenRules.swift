/// The rules that a state breaks, as sentences: what a check of invariants collects.
///
/// A list, not a trap, so that a test can break a rule on purpose and look for its sentence.
package struct BrokenRules {
  package private(set) var sentences: [String] = []

  package init() {}

  /// Adds `sentence` unless the rule holds. The sentence is built only then.
  package mutating func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { sentences.append(sentence()) }
  }

  /// Traps if any rule is broken.
  package func trapIfAny() {
    precondition(sentences.isEmpty, sentences.joined(separator: "; "))
  }
}

extension [ObjectID] {
  /// Whether each ID is greater than the one before: sorted and without duplicates. O(n).
  package var isStrictlyAscending: Bool {
    for index in indices.dropFirst() where !(self[index - 1] < self[index]) { return false }
    return true
  }

  /// Whether no ID is there twice. O(n²), for the few members of a relationship.
  package var hasNoDuplicates: Bool {
    for index in indices where self[..<index].contains(self[index]) { return false }
    return true
  }
}
