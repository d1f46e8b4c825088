import ObjectModel
import Vocabulary

/// Prints the parts of a scenario.
struct Spelling {
  let model: ObjectModel
  let stack: Stack
  let names: [String]
  private let entities: [EntityID?]
  private let dates: DateStyle

  init(_ scenario: Scenario, _ dates: DateStyle = .seconds) {
    self.dates = dates
    model = scenario.model
    stack = scenario.stack
    names = scenario.names
    entities = scenario.entitiesOfNames
  }

  func text(_ name: ObjectName) -> String { names[name.index] }
  func text(_ context: ContextID) -> String { stack[context].name }

  func text(_ store: StoreID) -> String { stack.stores[store.index].name }

  func text(_ reference: HeldInstance) -> String {
    "\(text(reference.context)).\(text(reference.name))"
  }

  /// Returns `n` for an instance in `lane`, or `edit.n` for an instance in another context.
  func text(_ reference: HeldInstance, lane: ContextID) -> String {
    reference.context == lane ? text(reference.name) : text(reference)
  }

  /// Returns a property of an object, such as `n.title`.
  func path(_ name: ObjectName, _ property: PropertyID) -> String {
    "\(text(name)).\(self.property(property, of: name))"
  }

  func property(_ property: PropertyID, of name: ObjectName) -> String {
    // A generated program can use a name that it does not bind. Such a text cannot be parsed.
    guard let entity = entities[name.index] else { return "?\(property.index)" }
    return model[entity][property].name
  }

  /// Returns the spelling of an attribute's value. Objects occur only in references.
  func text(_ value: Value, of property: Property? = nil) -> String {
    value.text(model.symbols, of: property?.attribute?.type, dates) { $0.text(model) }
  }

  /// Returns the spelling of a value of a property that objects under `name` have.
  func text(_ value: Value, of name: ObjectName, _ property: PropertyID) -> String {
    text(value, of: entities[name.index].map { model[$0][property] })
  }
}

extension ObjectID {
  /// Returns `Note/p3` for an object with a row, or `Note/t5` for an object without a row.
  func text(_ model: ObjectModel) -> String {
    "\(model[entity].name)/\(isTemporaryID ? "t" : "p")\(number)"
  }
}
