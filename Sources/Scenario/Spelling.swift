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

  /// `n` for an object of `lane`, `edit.n` for one of another.
  func text(_ reference: HeldInstance, lane: ContextID) -> String {
    reference.context == lane ? text(reference.name) : text(reference)
  }

  /// `n.title`
  func path(_ name: ObjectName, _ property: PropertyID) -> String {
    "\(text(name)).\(self.property(property, of: name))"
  }

  func property(_ property: PropertyID, of name: ObjectName) -> String {
    // A generated program may use a name that it does not bind. No such text can be read.
    guard let entity = entities[name.index] else { return "?\(property.index)" }
    return model[entity][property].name
  }

  /// An attribute's value. Objects stand in references, never in values.
  func text(_ value: Value, of property: Property? = nil) -> String {
    value.text(model.symbols, of: property?.attribute?.type, dates) { $0.text(model) }
  }

  /// A value of a property that objects under `name` have.
  func text(_ value: Value, of name: ObjectName, _ property: PropertyID) -> String {
    text(value, of: entities[name.index].map { model[$0][property] })
  }
}

extension ObjectID {
  /// `Note/p3` for a row, `Note/t5` for an object that has none yet.
  func text(_ model: ObjectModel) -> String {
    "\(model[entity].name)/\(isTemporaryID ? "t" : "p")\(number)"
  }
}
