import Scenario
import Vocabulary

/// Where a step stands: the same step may stand in several places.
struct StepPath: Hashable {
  /// The author of the list of steps in which it stands.
  var author = Author.program
  /// Its index in that list, then in its block, and so on.
  var indexes: [Int] = []
}

extension [AddressedStep] {
  /// The paths, from `path` on, of the steps that are looked for.
  func paths(
    from path: StepPath = StepPath(), where isWanted: (AddressedStep) -> Bool
  ) -> [StepPath] {
    enumerated().flatMap { index, step -> [StepPath] in
      var inner = path
      inner.indexes.append(index)
      return (isWanted(step) ? [inner] : [])
        + (step.step.block ?? []).paths(from: inner, where: isWanted)
    }
  }
}
