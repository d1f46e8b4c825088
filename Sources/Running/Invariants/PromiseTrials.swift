/// The texts of the promises that a run has tested. States that differ only in these are equal.
struct PromiseTrials: Hashable {
  private(set) var promises: [String] = []

  mutating func note(_ text: String) {
    if !promises.contains(text) { promises.append(text) }
  }

  static func == (a: Self, b: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
