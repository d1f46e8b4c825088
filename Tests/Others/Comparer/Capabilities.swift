import Vocabulary

/// The features of an implementation, as its adapter states them. `--capabilities` prints a line
/// for each.
struct Capabilities {
  /// `steps  insert get …`: the kinds of steps that the adapter performs.
  var steps: Set<Step.Kind> = []
  /// `contexts  1`: the number of contexts that a program may have.
  var contextLimit = 1
  /// `policies  error …`: the merge policies that a context may have.
  var policies: [MergePolicy] = [.error]
  /// `rows`: the adapter can read the store without the program's contexts.
  var readsRows = false
  var name = "unknown"

  init(_ lines: [String]) throws(ComparisonError) {
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "name": name = words.dropFirst().joined(separator: " ")
      case "steps":
        for word in words.dropFirst() {
          guard let kind = Step.Kind(word: word) else {
            throw ComparisonError("the adapter has a step '\(word)', which Faultline has not")
          }
          steps.insert(kind)
        }
      case "contexts": contextLimit = words.dropFirst().first.flatMap { Int($0) } ?? 1
      case "policies": policies = words.dropFirst().compactMap { MergePolicy(rawValue: $0) }
      case "rows": readsRows = true
      default: throw ComparisonError("a capability that is not known: \(line)")
      }
    }
    guard !steps.isEmpty, !policies.isEmpty else {
      throw ComparisonError("the adapter names no steps or no policies")
    }
  }
}

/// The reason why no comparison can be made.
struct ComparisonError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
