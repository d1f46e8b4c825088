import ObjectModel

extension ModelText {
  static func canonicalLines(of model: ObjectModel) -> [String] {
    model.entities.flatMap { entity in
      [heading(entity, in: model)] + members(entity, in: model).map { "  " + $0 }
    }
  }

  private static func heading(_ entity: Entity, in model: ObjectModel) -> String {
    let prefix = entity.isAbstract ? "abstract " : ""
    let suffix = entity.parent.map { " : \(model[$0].name)" } ?? ""
    return prefix + entity.name + suffix
  }

  /// Returns the lines of the members that the entity declares itself. Inherited members are
  /// omitted.
  private static func members(_ entity: Entity, in model: ObjectModel) -> [String] {
    let parent = entity.parent.map { model[$0] } ?? Entity(name: "")
    let properties = entity.properties.dropFirst(parent.properties.count)
    let constraints = entity.uniquenessConstraints.dropFirst(parent.uniquenessConstraints.count)
    let actions = entity.hookActions.dropFirst(parent.hookActions.count)
    return properties.map { "\($0.name)  \(declaration($0, in: model))" }
      + constraints.map { constraint in
        "unique  " + constraint.map { entity[$0].name }.joined(separator: " ")
      }
      + actions.map { "\($0.hook.rawValue)  \(text($0, of: entity, in: model))" }
  }

  private static func declaration(_ property: Property, in model: ObjectModel) -> String {
    switch property.kind {
    case .attribute(let attribute): declaration(attribute, in: model)
    case .relationship(let relationship): declaration(relationship, in: model)
    }
  }

  private static func declaration(_ attribute: Attribute, in model: ObjectModel) -> String {
    func text(_ value: Value) -> String {
      value.text(model.symbols, of: attribute.type) { _ in "nil" }
    }
    var words = [attribute.type.word + (attribute.isOptional ? "?" : "")]
    if !attribute.defaultValue.isNull { words += ["=", text(attribute.defaultValue)] }
    if let minimum = attribute.minimum { words += ["min", text(minimum)] }
    if let maximum = attribute.maximum { words += ["max", text(maximum)] }
    for forbidden in attribute.forbidden {
      words += ["not", text(forbidden.value)]
      if !forbidden.warning.isEmpty { words.append(quoted(forbidden.warning)) }
    }
    if attribute.isTransient { words.append("transient") }
    return words.joined(separator: " ")
  }

  private static func declaration(_ relationship: Relationship, in model: ObjectModel) -> String {
    let destination = model[relationship.destination]
    let suffix =
      switch (relationship.isToMany, relationship.isOptional) {
      case (false, true): "?"
      case (false, false): ""
      case (true, true): "*"
      case (true, false): "+"
      }
    var words = [destination.name + suffix]
    if relationship.isOrdered { words.append("ordered") }
    if let inverse = relationship.inverse { words += ["inverse", destination[inverse].name] }
    if relationship.deleteRule != .nullify { words.append(relationship.deleteRule.rawValue) }
    if relationship.minimumCount != 0 { words += ["min", "\(relationship.minimumCount)"] }
    if relationship.maximumCount != 0 { words += ["max", "\(relationship.maximumCount)"] }
    return words.joined(separator: " ")
  }

  private static func text(_ action: HookAction, of entity: Entity, in model: ObjectModel)
    -> String
  {
    let effect =
      switch action.effect {
      case .setNext: "next"
      case .set(let value):
        value.text(model.symbols, of: entity[action.property].attribute?.type) { _ in "nil" }
      case .insertRelated: "insert"
      }
    let prefix = action.isPrimitive ? "primitive " : ""
    return prefix + "\(entity[action.property].name) \(action.onlyIfNil ? "?=" : "=") \(effect)"
  }
}
