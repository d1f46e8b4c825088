package import ObjectModel
import Vocabulary

/// The tables that follow from a model alone, shared by the worlds of many runs.
package struct ModelTables: Sendable {
  let setting: Setting

  package init(_ model: ObjectModel) {
    setting = Setting(model, Stack(), QuirkSet(), PlantedBugSet())
  }
}

/// The constant parts of a world behind a single reference. Copies of a world would otherwise count
/// dozens of references.
final class Setting: Hashable, Sendable {
  let model: ObjectModel
  let stack: Stack
  let quirks: QuirkSet
  let bugs: PlantedBugSet
  /// The observers of each context in order, by number, with the notifications that they observe.
  let listeners: [[(notification: Stack.NotificationName, observer: Int)]]
  let shapes: [[PropertyShape]]
  let collectionSets: [PropertySet]
  let hasRelationships: [Bool]
  /// Boolean values that indicate whether an entity has a relationship with an inverse, indexed by
  /// entity.
  let hasInverses: [Bool]
  let isCollected: [Bool]
  /// The collections without members, indexed by entity.
  let emptyCollections: [[[ObjectID]]]
  let valueOrder: ValueOrder
  let constraints: [UniquenessConstraint]

  /// Creates a setting like `other` with another stack. The model must have the same entities, and
  /// may have more texts.
  init(
    _ other: Setting, _ stack: Stack, _ model: ObjectModel, _ quirks: QuirkSet,
    _ bugs: PlantedBugSet
  ) {
    (self.model, self.stack, self.quirks, self.bugs) = (model, stack, quirks, bugs)
    listeners = Setting.listeners(of: stack)
    (shapes, collectionSets) = (other.shapes, other.collectionSets)
    (hasRelationships, hasInverses) = (other.hasRelationships, other.hasInverses)
    emptyCollections = other.emptyCollections
    (isCollected, constraints) = (other.isCollected, other.constraints)
    valueOrder = ValueOrder(symbols: model.symbols)
  }

  /// Returns a setting with a larger stack, and with a model that may have more entities or texts.
  func growing(to stack: Stack, _ model: ObjectModel) -> Setting {
    model.entities.count == self.model.entities.count
      ? Setting(self, stack, model, quirks, bugs) : Setting(model, stack, quirks, bugs)
  }

  init(_ model: ObjectModel, _ stack: Stack, _ quirks: QuirkSet, _ bugs: PlantedBugSet) {
    (self.model, self.stack, self.quirks, self.bugs) = (model, stack, quirks, bugs)
    listeners = Setting.listeners(of: stack)
    shapes = model.entities.map { entity in
      precondition(
        entity.properties.count <= Entity.propertyLimit,
        "\(entity.name) has \(entity.properties.count) properties")
      return entity.properties.map { PropertyShape($0, in: model) }
    }
    collectionSets = shapes.map { shapes in
      var set = PropertySet()
      for (property, shape) in shapes.enumerated() where shape.kind == .toMany {
        set.insert(property)
      }
      return set
    }
    hasRelationships = shapes.map { $0.contains(where: \.isRelationship) }
    hasInverses = shapes.map { $0.contains(where: \.hasInverse) }
    emptyCollections = model.entities.indices.map {
      Array(repeating: [], count: model.entities[$0].collectionCount)
    }
    let collected = shapes.joined().filter { $0.kind == .toMany }.map(\.destination)
    isCollected = model.entities.indices.map { entity in
      collected.contains { model.entity(EntityID(entity), inherits: $0) }
    }
    valueOrder = ValueOrder(symbols: model.symbols)
    constraints = UniquenessConstraint.all(in: model)
  }

  /// Decides whether an entity has this many values and, unless `collections` is `nil`, this many
  /// collections.
  func fits(_ values: [Value], _ collections: [[ObjectID]]?, _ entity: EntityID) -> Bool {
    values.count == model.entities[entity.index].valueCount
      && collections.map { $0.count == model.entities[entity.index].collectionCount } ?? true
  }

  /// Keeps the transient values `mine` in a list of values that replaces them.
  func keepTransients(of mine: [Value], in values: inout [Value], of entity: EntityID) {
    for shape in shapes[entity.index] where shape.isTransient {
      assert(shape.kind == .attribute, "only attributes are transient")
      values[shape.slot] = mine[shape.slot]
    }
  }

  private static func listeners(
    of stack: Stack
  ) -> [[(notification: Stack.NotificationName, observer: Int)]] {
    stack.contextIDs.map { context in
      stack.observers.indices.filter { stack.observers[$0].context == context }
        .map { (stack.observers[$0].notification, $0) }
    }
  }

  // All other properties follow from these four.

  static func == (a: Setting, b: Setting) -> Bool {
    a === b
      || a.model == b.model && a.stack == b.stack && a.quirks == b.quirks && a.bugs == b.bugs
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(model)
    hasher.combine(stack)
    hasher.combine(quirks)
    hasher.combine(bugs)
  }
}
