import Determinism
import ObjectModel

/// Adds attributes, uniqueness constraints and hooks to entities.
extension ModelGenerator {
  private static let attributeNames = ["title", "stamp", "rating", "body", "flag"]

  private static let types: [AttributeType] = [
    .string, .integer64, .integer16, .date, .boolean, .double, .integer32, .decimal, .float, .uuid,
    .binaryData, .uri, .transformable,
  ]

  func addAttributes(to index: Int, in drafts: inout [Draft], _ choices: inout Choices) {
    let count = 1 + choices.draw(below: 3, from: .shape)
    for _ in 0..<count {
      let number = properties(of: index, in: drafts).count
      let names = ModelGenerator.attributeNames
      let name = number < names.count ? names[number] : "extra\(number)"
      drafts[index].append(Property(name: name, kind: .attribute(attribute(&choices))))
    }
    if choices.chance(1, in: 6, from: .shape) { addConstraint(to: index, in: &drafts, &choices) }
    if choices.chance(1, in: 3, from: .shape) { addAssignment(to: index, in: &drafts, &choices) }
  }

  private func attribute(_ choices: inout Choices) -> Attribute {
    let weights = [4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1]
    let type = ModelGenerator.types[choices.pick(weights: weights, from: .shape)]
    var attribute = Attribute(type: type)
    attribute.isOptional = !choices.chance(1, in: 4, from: .shape)
    if attribute.isOptional { attribute.isTransient = choices.chance(1, in: 8, from: .shape) }
    if choices.chance(1, in: 4, from: .shape) {
      attribute.defaultValue = attribute.value(numbered: ValueDomain.usual)
    }
    // Dates are rare, so they have limits more often. Their limits fail in their own way.
    let isLimited = choices.chance(1, in: attribute.type == .date ? 2 : 8, from: .shape)
    if isLimited { addLimits(to: &attribute, &choices) }
    if choices.chance(1, in: 16, from: .shape) {
      let value = attribute.value(numbered: ValueDomain.forbidden)
      attribute.forbidden = [ForbiddenValue(value, warning: "not this one")]
    }
    return attribute
  }

  private func addLimits(to attribute: inout Attribute, _ choices: inout Choices) {
    let limits: (minimum: Value, maximum: Value)
    switch attribute.type {
    case .boolean, .binaryData, .uuid, .uri, .transformable: return
    case .string: limits = (.integer(3), .integer(4))
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
      limits = (
        attribute.value(numbered: ValueDomain.range.lowerBound),
        attribute.value(numbered: ValueDomain.range.upperBound)
      )
    }
    let which = choices.draw(below: 3, from: .shape)
    if which != 1 { attribute.minimum = limits.minimum }
    if which != 0 { attribute.maximum = limits.maximum }
  }

  /// Adds a uniqueness constraint on one or two attributes.
  private func addConstraint(
    to index: Int, in drafts: inout [Draft], _ choices: inout Choices
  ) {
    var names = properties(of: index, in: drafts)
      .filter { $0.attribute?.isTransient == false }.map(\.name)
    guard !names.isEmpty else { return }
    var constraint = [names.remove(at: choices.draw(below: names.count, from: .shape))]
    if !names.isEmpty, choices.chance(1, in: 3, from: .shape) {
      constraint.append(names[choices.draw(below: names.count, from: .shape)])
    }
    drafts[index].constraints.append(constraint)
  }

  /// Adds a hook that sets an attribute.
  private func addAssignment(
    to index: Int, in drafts: inout [Draft], _ choices: inout Choices
  ) {
    // A hook that sets an invalid value would make every save fail.
    let candidates = drafts[index].properties.filter {
      guard let attribute = $0.attribute else { return false }
      return attribute.minimum == nil && attribute.maximum == nil && attribute.forbidden.isEmpty
    }
    guard let property = candidates.last, let attribute = property.attribute else { return }
    let hooks: [Hook] = [.awakeFromInsert, .willSave, .awakeFromFetch, .resolveConflicts]
    let hook = hooks[choices.pick(weights: [6, 4, 2, 3], from: .shape)]
    let isUnique = drafts[index].constraints.contains { $0.contains(property.name) }
    let isConstant = !isUnique && choices.chance(1, in: 4, from: .shape)
    var guarded = Draft.Guard()
    guarded.isPrimitive = choices.chance(1, in: 5, from: .shape)
    // Without a guard, `willSave` repeats until the save fails (LC-09). Setting the primitive value
    // does not repeat it.
    guarded.onlyIfNil =
      hook == .willSave && !guarded.isPrimitive
      ? !choices.chance(1, in: 24, from: .shape) : choices.chance(1, in: 2, from: .shape)
    drafts[index].actions.append(
      (
        hook, property.name,
        isConstant ? .set(attribute.value(numbered: ValueDomain.usual)) : .setNext, guarded
      ))
  }

  /// Adds a hook that inserts a related object. The related object passes validation without
  /// further steps.
  func addInsertion(to index: Int, in drafts: inout [Draft], _ choices: inout Choices) {
    guard choices.chance(1, in: 5, from: .shape) else { return }
    let candidates = drafts[index].properties.filter {
      guard let destination = $0.relationship?.destination.index else { return false }
      // Insertions lead to lower entity numbers only, so that they cannot form a cycle.
      return destination < index && !drafts[destination].isAbstract
        && properties(of: destination, in: drafts).allSatisfy(\.isFilledByItself)
    }
    guard !candidates.isEmpty else { return }
    let property = candidates[choices.draw(below: candidates.count, from: .shape)]
    let guarded = Draft.Guard(onlyIfNil: choices.chance(1, in: 2, from: .shape))
    drafts[index].actions.append((.awakeFromInsert, property.name, .insertRelated, guarded))
  }
}

extension Property {
  /// A Boolean value that indicates whether a new object passes the validation of the property
  /// without any step (SV-A12).
  var isFilledByItself: Bool {
    switch kind {
    case .attribute(let attribute):
      attribute.isOptional || attribute.isTransient || !attribute.defaultValue.isNull
    case .relationship(let relationship):
      relationship.isOptional || relationship.isToMany && relationship.minimumCount == 0
    }
  }
}
