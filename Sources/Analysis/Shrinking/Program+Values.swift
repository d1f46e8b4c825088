import Execution
import Failures
import ObjectModel
import Vocabulary

extension Program {
  /// The number of edits that give a property its default value, or a value that another edit gives
  /// to that property of any object. Only different values tell the reader which edit they see.
  var repeatedValueCount: Int {
    let entities = EntityTable(of: self)
    var given: [Subject: [Value]] = [:]
    var count = 0
    func note(_ step: AddressedStep) {
      for inner in step.step.block ?? [] { note(inner) }
      // An edit may have made the program ill-typed.
      guard let (name, property, value) = step.step.setting, let entity = entities[name],
        property.index < model[entity].properties.count
      else { return }
      let subject = Subject(entity: entity, property: property)
      let standard = model[entity][property].attribute?.defaultValue
      if value == standard || given[subject]?.contains(value) == true {
        count += 1
      } else {
        given[subject, default: []].append(value)
      }
    }
    for step in allSteps { note(step) }
    return count
  }
}

extension Step {
  /// The attribute that the step sets, and its value. Nil for other steps.
  var setting: (name: ObjectName, property: PropertyID, value: Value)? {
    switch self {
    case .set(let name, let property, let value), .setPrimitive(let name, let property, let value):
      (name, property, value)
    default: nil
    }
  }
}

extension FailureSignature {
  /// A Boolean value that indicates whether the failure is named after the quirk that ignores equal
  /// values.
  var isAboutEqualValues: Bool {
    kind.anomaly?.mainSuspect == .quirk(.childSaveIgnoresEqualValues)
  }
}
