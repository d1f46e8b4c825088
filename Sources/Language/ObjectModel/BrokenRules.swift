/// The rules that a state breaks, as sentences, collected by a check of internal invariants.
///
/// The sentences are collected instead of trapping, so that a test can break a rule deliberately
/// and look for its sentence.
package struct BrokenRules {
  package private(set) var sentences: [String] = []

  package init() {}

  /// Adds `sentence` if `holds` is false. The sentence is evaluated only in that case.
  package mutating func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { sentences.append(sentence()) }
  }

  /// Traps if any rule is broken.
  package func trapIfAny() {
    precondition(sentences.isEmpty, sentences.joined(separator: "; "))
  }
}

extension [ObjectID] {
  /// A Boolean value that indicates whether the IDs are sorted and unique.
  ///
  /// - Complexity: O(n).
  package var isStrictlyAscending: Bool {
    for index in indices.dropFirst() where !(self[index - 1] < self[index]) { return false }
    return true
  }

  /// A Boolean value that indicates whether no ID occurs twice.
  ///
  /// - Complexity: O(n²), which suits the few members of a relationship.
  package var hasNoDuplicates: Bool {
    for index in indices where self[..<index].contains(self[index]) { return false }
    return true
  }
}
