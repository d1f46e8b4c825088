import Scenario
import Vocabulary

/// The position of a step. Equal steps may have several positions.
struct StepPath: Hashable {
  /// The author of the list that contains the step.
  var author = Author.program
  /// The index in that list, followed by the index in each nested block.
  var indexes: [Int] = []
}

extension [AddressedStep] {
  /// Returns the paths of the steps that satisfy `isWanted`, each beginning with `path`.
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
