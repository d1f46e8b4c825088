import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates requests beyond comparisons of an object's own values.
extension StepGenerator {
  /// Generates a fetch, mostly with a predicate over relationships. Some fetches sort by a key
  /// path, or compute dictionaries.
  func query(in context: ContextID, _ world: World, _ choices: inout Choices) -> Step {
    let entity = EntityID(choices.draw(below: model.entities.count, from: .workload))
    var request = FetchRequest(entity: entity)
    if !choices.chance(1, in: 4, from: .workload) {
      let tree = tree(of: entity, depth: 2, in: context, world, &choices)
      (request.predicate, request.tree) = tree.split
    }
    if choices.chance(1, in: 3, from: .workload) { addKeyPath(to: &request, &choices) }
    if choices.chance(1, in: 4, from: .workload) {
      request.fetchLimit = 1 + choices.draw(below: 3, from: .workload)
      request.fetchOffset = choices.draw(below: 2, from: .workload)
    }
    request.includesPendingChanges = !choices.chance(1, in: 6, from: .workload)
    if model.entities[entity.index].family.count > 1 {
      request.includesSubentities = !choices.chance(1, in: 6, from: .workload)
    }
    switch choices.pick(weights: [8, 4, 2, 1, 1], from: .workload) {
    case 1: summarize(&request, &choices)
    case 2: return .count(request)
    case 3: request.resultType = .managedObjectID
    case 4: request.resultType = .count
    default: break
    }
    return .fetch(request)
  }

  /// Generates the predicate of a batch request, which may lead over relationships.
  func batchTree(
    of entity: EntityID, in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> (comparisons: [Comparison], tree: PredicateTree?) {
    tree(of: entity, depth: 1, in: context, world, &choices).split
  }

  // MARK: Order and dictionaries

  private func addKeyPath(to request: inout FetchRequest, _ choices: inout Choices) {
    let path = path(of: request.entity, isToOne: true, &choices)
    guard let first = path.first else { return }
    request.sortDescriptors = [
      .init(
        property: first, furtherKeys: Array(path.dropFirst()),
        ascending: choices.chance(1, in: 2, from: .workload))
    ]
    let attributes = storedAttributes(of: request.entity)
    // Many objects agree on the value of a key path, so a second key decides.
    guard !attributes.isEmpty, choices.chance(1, in: 2, from: .workload) else { return }
    let second = attributes[choices.draw(below: attributes.count, from: .workload)]
    if [second] != path {
      request.sortDescriptors.append(.init(property: second, ascending: true))
    }
  }

  private func summarize(_ request: inout FetchRequest, _ choices: inout Choices) {
    let entity = model[request.entity]
    let attributes = storedAttributes(of: request.entity)
    request.resultType = .dictionary
    if !attributes.isEmpty, choices.chance(1, in: 2, from: .workload) {
      let key = attributes[choices.draw(below: attributes.count, from: .workload)]
      request.propertiesToFetch = [key]
      if !choices.chance(1, in: 3, from: .workload) { request.propertiesToGroupBy = [key] }
    }
    if request.propertiesToFetch.isEmpty || !request.propertiesToGroupBy.isEmpty {
      request.aggregates = [Aggregate(.count, of: nil)]
      if !attributes.isEmpty {
        let property = attributes[choices.draw(below: attributes.count, from: .workload)]
        let isNumber = entity[property].attribute?.type.isNumber == true
        let functions = Aggregate.Function.allCases.filter { isNumber || !$0.addsUp }
        let function = functions[choices.draw(below: functions.count, from: .workload)]
        request.aggregates.append(Aggregate(function, of: property))
      }
    } else {
      request.returnsDistinctResults = true
    }
  }

  // MARK: Predicates

  private func tree(
    of entity: EntityID, depth: Int, in context: ContextID, _ world: World,
    _ choices: inout Choices
  ) -> PredicateTree {
    let kind = depth == 0 ? 0 : choices.pick(weights: [5, 2, 3, 2], from: .workload)
    if kind == 0 { return condition(of: entity, in: context, world, &choices) }
    let first = tree(of: entity, depth: depth - 1, in: context, world, &choices)
    if kind == 3 { return .not(first) }
    let second = tree(of: entity, depth: depth - 1, in: context, world, &choices)
    return kind == 1 ? .and([first, second]) : .or([first, second])
  }

  private func condition(
    of entity: EntityID, in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> PredicateTree {
    let path = path(of: entity, isToOne: false, &choices)
    guard let end = model.end(of: path, from: entity) else { return .constant(true) }
    if end.property.isToMany, choices.chance(1, in: 2, from: .workload) {
      let number = Int64(choices.draw(below: 3, from: .workload))
      let relation =
        choices.chance(1, in: 2, from: .workload)
        ? PredicateTree.Relation.greater : .equal
      return .comparison(.count(path), relation, .value(.integer(number)), [], nil)
    }
    let modifiers = PredicateTree.Modifier.allCases
    let modifier =
      end.isMany ? modifiers[choices.pick(weights: [4, 1, 1], from: .workload)] : nil
    guard let attribute = end.property.attribute, let last = path.last else {
      return membership(of: entity, path, end, modifier, in: context, world, &choices)
    }
    let owner = path.dropLast().reduce(entity) { model.destination(of: $1, from: $0) }
    let relations = relations(for: attribute)
    let relation = relations[choices.draw(below: relations.count, from: .workload)]
    func operand(_ choices: inout Choices) -> PredicateTree.Term {
      let value = self.operand(for: attribute, last, of: owner, &choices)
      let isPart = relation == .beginsWith || relation == .contains
      return .value(isPart ? beginning(of: value, &choices) : value)
    }
    let options: PredicateTree.Options =
      attribute.type == .string && choices.chance(1, in: 4, from: .workload)
      ? [.caseInsensitive, .diacriticInsensitive] : []
    let right: PredicateTree.Term
    switch relation {
    case .isIn, .between: right = .list([operand(&choices), operand(&choices)])
    default: right = operand(&choices)
    }
    return .comparison(.path(path), relation, right, options, modifier)
  }

  /// Returns a generated text or a prefix of it, such as `s104`, `s10` or `s1` for `s1042`. Without
  /// prefixes, a text would contain another only if both are equal.
  private func beginning(of value: Value, _ choices: inout Choices) -> Value {
    guard case .string(let symbol) = value, var number = symbol.token else { return value }
    while number >= 10, choices.chance(1, in: 2, from: .workload) { number /= 10 }
    return .string(Symbol(token: number))
  }

  private func relations(for attribute: Attribute) -> [PredicateTree.Relation] {
    switch attribute.type {
    case .string:
      [.equal, .notEqual, .isIn, .beginsWith, .endsWith, .contains, .like, .greaterOrEqual, .less]
    case .binaryData, .uri, .transformable, .uuid: [.equal, .notEqual, .isIn]
    default: [.equal, .notEqual, .isIn, .between, .lessOrEqual, .greaterOrEqual, .less, .greater]
    }
  }

  /// Returns a predicate that tests whether a relationship leads to an object that the program
  /// holds, or whether the object itself is one.
  private func membership(
    of entity: EntityID, _ path: [PropertyID], _ end: (property: Property, isMany: Bool),
    _ modifier: PredicateTree.Modifier?, in context: ContextID, _ world: World,
    _ choices: inout Choices
  ) -> PredicateTree {
    let destination = end.property.relationship?.destination
    let held = pick(
      in: context, world,
      where: { held in destination.map { model.entity(held.id.entity, inherits: $0) } ?? false },
      &choices)
    guard let held else {
      return .comparison(.path(path), .equal, .value(.null), [], modifier)
    }
    let object = PredicateTree.Term.object(HeldInstance(context, held.name))
    guard end.isMany else {
      return .comparison(.path(path), .isIn, .list([object]), [], nil)
    }
    switch choices.draw(below: 3, from: .workload) {
    case 0: return .comparison(.path(path), .equal, object, [], modifier)
    case 1: return .comparison(.path(path), .contains, object, [], nil)
    default: return .comparison(object, .isIn, .path(path), [], nil)
    }
  }

  /// Draws a key path of one to three keys, none of them transient. Returns an empty path for an
  /// entity without properties.
  private func path(
    of start: EntityID, isToOne: Bool, _ choices: inout Choices
  ) -> [PropertyID] {
    var path: [PropertyID] = []
    var entity = start
    repeat {
      let owner = model[entity]
      let keys = owner.propertyIDs.filter {
        !owner[$0].isTransient && !(isToOne && owner[$0].isToMany)
      }
      guard !keys.isEmpty else { break }
      let key = keys[choices.draw(below: keys.count, from: .workload)]
      path.append(key)
      guard owner[key].relationship != nil else { break }
      entity = model.destination(of: key, from: entity)
    } while path.count < 3 && !choices.chance(1, in: 3, from: .workload)
    return path
  }
}
