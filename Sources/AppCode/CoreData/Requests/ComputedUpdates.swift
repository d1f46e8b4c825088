import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// Batch updates that set attributes to expressions.
extension NSManagedObjectContext {
  /// Returns the name of the attribute that a key of a batch request identifies.
  static func name(of key: AnyHashable) -> String {
    (key as? String) ?? (key.base as? NSPropertyDescription)?.name ?? "\(key)"
  }

  /// Returns the constants that a batch update sets, and the values that it computes from each row.
  func assignments(
    _ update: NSBatchUpdateRequest
  ) -> (constants: [AnyHashable: Any], computed: [BatchRequest.ComputedValue]) {
    let entity = run.model[entityID(named: update.entityName)]
    var constants: [AnyHashable: Any] = [:]
    var computed: [BatchRequest.ComputedValue] = []
    for (key, value) in update.propertiesToUpdate ?? [:] {
      switch (value as? SimulatedNSExpression)?.side {
      case nil: constants[key] = value
      case .value(let constant): constants[key] = constant ?? NSNull()
      case let side?:
        let name = NSManagedObjectContext.name(of: key)
        guard let property = entity.property(named: name),
          let type = entity[property].attribute?.type
        else {
          misuse("a batch request sets '\(name)', which is not an attribute of \(entity.name)")
        }
        computed.append(
          BatchRequest.ComputedValue(
            property, ComputedUpdate(entity, name, type).term(of: side)))
      }
    }
    return (constants, computed.sorted { $0.property < $1.property })
  }
}

/// An attribute that a batch update sets to an expression of other attributes of the same row.
private struct ComputedUpdate {
  let entity: Entity
  let name: String
  let type: AttributeType

  init(_ entity: Entity, _ name: String, _ type: AttributeType) {
    (self.entity, self.name, self.type) = (entity, name, type)
  }

  func term(of side: PredicateFormat.Operand) -> PredicateTree.Term {
    if case .path(let keys) = side, let property = attribute(keys), property.type == type {
      return .path([property.id])
    }
    let (term, isInteger) = sum(side)
    if type.isIntegral {
      guard isInteger else {
        fail(side, "the value may be a fraction, and the attribute is an integer")
      }
      return term
    }
    guard type == .double || type == .float else {
      fail(side, "type \(type) allows only a constant or an attribute of the same type")
    }
    // Adding a floating-point zero keeps the result from being stored as an integer.
    return .computed(.plus, [term, .value(.number(0))])
  }

  private func fail(_ side: PredicateFormat.Operand, _ reason: String) -> Never {
    misuse("a batch update sets '\(name)' to '\(side.text)', which is not simulated: \(reason)")
  }

  private func attribute(_ keys: [String]) -> (id: PropertyID, type: AttributeType)? {
    guard keys.count == 1, let id = entity.property(named: keys[0]),
      let attribute = entity[id].attribute
    else { return nil }
    return (id, attribute.type)
  }

  private func sum(_ side: PredicateFormat.Operand) -> (term: PredicateTree.Term, isInteger: Bool) {
    switch side {
    case .path(let keys):
      guard let property = attribute(keys) else {
        fail(side, "'\(side.text)' is not an attribute of \(entity.name)")
      }
      let isInteger = property.type.isIntegral
      guard isInteger || property.type == .double || property.type == .float else {
        fail(side, "'\(side.text)' is not a number")
      }
      return (.path([property.id]), isInteger)
    case .value(let value):
      guard let number = PredicateFormat.number(value) else {
        fail(side, "'\(side.text)' is not a number")
      }
      if let whole = value as? any BinaryInteger {
        return (.value(.integer(Int64(truncatingIfNeeded: whole))), true)
      }
      if let number = value as? NSNumber, number.isWhole {
        return (.value(.integer(number.int64Value)), true)
      }
      return (.value(.number(number)), false)
    case .function(let name, let sides):
      let signs: [String: PredicateTree.Operation] = [
        "add:to:": .plus, "from:subtract:": .minus, "multiply:by:": .times,
      ]
      guard let sign = signs[name], sides.count == 2 else {
        fail(side, "only +, - and * of numbers are simulated")
      }
      let (left, right) = (sum(sides[0]), sum(sides[1]))
      return (.computed(sign, [left.term, right.term]), left.isInteger && right.isInteger)
    default: fail(side, "'\(side.text)' is neither an attribute nor a number")
    }
  }
}

extension AttributeType {
  fileprivate var isIntegral: Bool {
    self == .integer16 || self == .integer32 || self == .integer64
  }
}
