package import InputFiles
package import ObjectModel
package import Scenario
import Vocabulary

extension StackDesign {
  /// Reads the design in a stack file or in a scenario.
  package init(path: String) throws(InputError) {
    guard path.hasSuffix(".scenario") else {
      self = try StackFile.read(path: path)
      return
    }
    let scenario = try ScenarioFile.read(path: path)
    self.init(
      name: scenario.name, origin: scenario.evidence, model: scenario.model, stack: scenario.stack)
  }

  /// The reason why no campaign can run on the stack, as text that completes a sentence after "the
  /// stack". Nil if a campaign can run on it.
  package var campaignProblem: String? {
    if stack.contexts.isEmpty { return "has no context to run steps in" }
    // Objects of a generated program have other names.
    if stack.namesObjects {
      return
        "names an object in an observer or an entry point; a campaign's programs generate their own objects"
    }
    return nil
  }

  /// Returns the model for a campaign on the stack.
  ///
  /// A design that names entities has its own copy of the model, which also contains the texts of
  /// its requests. Returns nil if the design names entities of another model.
  package func model(suiting model: ObjectModel) -> ObjectModel? {
    guard stack.namesEntities else { return model }
    return ModelText.print(model) == ModelText.print(self.model) ? self.model : nil
  }
}
