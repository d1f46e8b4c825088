import Determinism
import Generation
import ObjectModel
import Scenario
import Testing

@Suite struct `Generated models` {
  private func models(_ count: Int) -> [ObjectModel] {
    (0..<count).map { index in
      var choices = Choices(seed: Generator.derive(50, UInt64(index)))
      return ModelGenerator().model(&choices)
    }
  }

  @Test func `generated models begin with one entity of one attribute`() {
    var choices = Choices(replaying: Choices.Recording())
    let model = ModelGenerator().model(&choices)
    #expect(ModelText.print(model) == "Note\n  title  string?\n")
  }

  @Test func `generated models are valid, and are printed as they are read`() throws {
    for model in models(500) {
      model.checkInvariants()
      #expect(model.oversizedEntities.isEmpty)
      let text = ModelText.print(model)
      let parsed = try ModelText.parse(text)
      #expect(ModelText.print(parsed) == text)
      let isSame = parsed.entities == model.entities
      #expect(isSame, "\(text)")
    }
  }

  /// A reader of the model as text would take two properties of one name for one.
  @Test func `a generated model names each property once`() {
    for entity in models(500).flatMap(\.entities) {
      let names = entity.properties.map(\.name)
      #expect(Set(names).count == names.count, "\(names)")
    }
  }

  @Test func `generated models have every feature sooner or later`() {
    var found: Set<String> = []
    for model in models(500) {
      for entity in model.entities { found.formUnion(features(of: entity, in: model)) }
    }
    let types = AttributeType.allCases.map(\.rawValue)
    let rules = DeleteRule.allCases.map(\.rawValue)
    let others = [
      "abstract", "inherits", "inherits twice", "mandatory attribute", "transient", "default",
      "minimum", "maximum", "forbidden", "unique", "unique together", "one-way", "to itself",
      "mandatory to-one", "mandatory to-many", "ordered", "minimumCount", "maximumCount",
      "awakeFromInsert", "awakeFromFetch", "willSave", "setNext", "set", "insertRelated",
      "onlyIfNil", "primitive", "inherited action", "inherited constraint",
    ]
    for feature in types + rules + others { #expect(found.contains(feature), "\(feature)") }
  }

  private func features(of entity: Entity, in model: ObjectModel) -> [String] {
    var found: [String] = []
    func note(_ feature: String, if condition: Bool) { if condition { found.append(feature) } }
    let parent = entity.parent.map { model[$0] }
    note("abstract", if: entity.isAbstract)
    note("inherits", if: parent != nil)
    note("inherits twice", if: parent?.parent != nil)
    note("inherited action", if: parent?.hookActions.isEmpty == false)
    note("inherited constraint", if: parent?.uniquenessConstraints.isEmpty == false)
    note("unique", if: entity.uniquenessConstraints.contains { $0.count == 1 })
    note("unique together", if: entity.uniquenessConstraints.contains { $0.count == 2 })
    for property in entity.properties {
      switch property.kind {
      case .attribute(let attribute):
        found.append(attribute.type.rawValue)
        note("mandatory attribute", if: !attribute.isOptional)
        note("transient", if: attribute.isTransient)
        note("default", if: !attribute.defaultValue.isNull)
        note("minimum", if: attribute.minimum != nil)
        note("maximum", if: attribute.maximum != nil)
        note("forbidden", if: !attribute.forbidden.isEmpty)
      case .relationship(let relationship):
        found.append(relationship.deleteRule.rawValue)
        note("one-way", if: relationship.inverse == nil)
        note("to itself", if: model[relationship.destination].name == entity.name)
        note("mandatory to-one", if: !relationship.isOptional && !relationship.isToMany)
        note("mandatory to-many", if: !relationship.isOptional && relationship.isToMany)
        note("ordered", if: relationship.isOrdered)
        note("minimumCount", if: relationship.minimumCount > 0)
        note("maximumCount", if: relationship.maximumCount > 0)
      }
    }
    for action in entity.hookActions {
      found.append(action.hook.rawValue)
      note("onlyIfNil", if: action.onlyIfNil)
      note("primitive", if: action.isPrimitive)
      switch action.effect {
      case .setNext: found.append("setNext")
      case .set: found.append("set")
      case .insertRelated: found.append("insertRelated")
      }
    }
    return found
  }
}
