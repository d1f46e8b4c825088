package import InputFiles
package import ObjectModel
package import Scenario
import Vocabulary

extension StackDesign {
  /// The design in a stack file, or that of a scenario.
  package init(path: String) throws(InputError) {
    guard path.hasSuffix(".scenario") else {
      self = try StackFile.read(path: path)
      return
    }
    let scenario = try ScenarioFile.read(path: path)
    self.init(
      name: scenario.name, origin: scenario.evidence, model: scenario.model, stack: scenario.stack)
  }

  /// Why no campaign can run on it, as what follows "the stack"; nil if one can.
  package var campaignProblem: String? {
    if stack.contexts.isEmpty { return "has no context to run steps in" }
    // Those of a generated program have other names.
    if stack.namesObjects {
      return
        "names an object in an observer or an entry point; a campaign's programs generate their own"
    }
    return nil
  }

  /// The model for a campaign on it: a design that names entities has its own copy, which also
  /// knows the texts of its requests. Nil if it names those of another model.
  package func model(suiting model: ObjectModel) -> ObjectModel? {
    guard stack.namesEntities else { return model }
    return ModelText.print(model) == ModelText.print(self.model) ? self.model : nil
  }
}
