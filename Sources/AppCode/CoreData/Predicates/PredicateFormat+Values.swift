import Foundation
import ObjectModel

/// Values of a side of a comparison, evaluated for an object in memory.
extension PredicateFormat.Operand {
  /// Returns the value of the side. Several values are returned as an array.
  func value(of object: Any?, _ variables: [String: Any]) -> Any? {
    switch content(of: object, variables) {
    case .one(let value): return value
    case .many(let values): return NSArray(array: values.map { $0 ?? NSNull() })
    }
  }

  func content(of object: Any?, _ variables: [String: Any]) -> PredicateFormat.Content {
    switch self {
    case .value(let value): return .one(value)
    case .list(let sides): return .many(sides.map { $0.content(of: object, variables).value })
    case .path(let keys): return Self.walk(keys[...], from: object)
    case .count(let keys):
      switch Self.walk(keys[...], from: object) {
      case .many(let values): return .one(values.count)
      case .one(let list as [Any]): return .one(list.count)
      case .one(let value): return .one(value == nil ? 0 : 1)
      }
    case .aggregate(let name, let keys):
      if keys.count == 1, object is NSManagedObject {
        misuse("'\(text)' is applied to an object, but an operator requires a collection")
      }
      let values = Self.walk(keys[...], from: object).values.compactMap { $0 }
      return .one(KeyValueOperator.value(of: values, name))
    case .subquery(let path, let variable, let format):
      return .one(
        Self.members(path, variable, format).content(of: object, variables)
          .values.count)
    case .members(let path, let variable, let format):
      let members = Self.walk(path[...], from: object).values
      return .many(
        members.filter { member in
          var variables = variables
          variables[variable] = member
          return format.evaluate(with: object, variables)
        })
    case .member(let side, let place, let keys):
      return Self.member(
        at: place, of: side.content(of: object, variables), keys)
    case .function("count:", let sides) where sides.count == 1:
      let content = sides[0].content(of: object, variables)
      if case .one(let list as [Any]) = content { return .one(list.count) }
      if case .one(nil) = content { return .one(0) }
      return .one(content.values.count)
    case .variable(let name, let keys):
      return Self.content(ofVariable: name, keys, variables)
    case .function(PredicateFormat.call, let sides):
      let operands = sides.map { $0.value(of: object, variables) }
      return .one(
        MigrationCall.answer(
          of: operands.first ?? nil, operands.dropFirst().first as? String ?? "",
          Array(operands.dropFirst(2))))
    case .function(PredicateFormat.fetch, let sides):
      let operands = sides.map { $0.value(of: object, variables) }
      return .one(
        MigrationCall.fetched(
          operands.first ?? nil, operands.dropFirst().first ?? nil,
          countOnly: (operands.dropFirst(2).first as? NSNumber)?.boolValue == true))
    case .function(let name, let sides):
      return .one(
        Self.value(
          of: name, sides.map { $0.content(of: object, variables).value }))
    }
  }

  /// Returns the value of a variable, or the content at a key path from it. Traps without a value.
  private static func content(
    ofVariable name: String, _ keys: [String], _ variables: [String: Any]
  ) -> PredicateFormat.Content {
    guard let value = variables[name] else {
      misuse("the variable '$\(name)' of a predicate has no value")
    }
    let path = FormatParser.path(keys.joined(separator: "."))
    return keys.isEmpty
      ? FormatParser.value(value).content(of: nil, [:]) : path.content(of: value, variables)
  }

  /// Returns a member of a list, or the value at a key path from that member. Returns `nil` if the
  /// place is out of bounds.
  private static func member(
    at place: PredicateFormat.Place, of content: PredicateFormat.Content, _ keys: [String]
  ) -> PredicateFormat.Content {
    let list: [Any?]
    switch content {
    case .many(let values): list = values
    case .one(let values as [Any]): list = values
    case .one(nil): list = []
    case .one(let value): misuse("an index is applied to \(value ?? "nil"), which is not a list")
    }
    let index: Int
    switch place {
    case .size: return .one(list.count)
    case .first: index = 0
    case .last: index = list.count - 1
    case .index(let number): index = number
    }
    guard list.indices.contains(index) else { return .one(nil) }
    return walk(keys[...], from: list[index])
  }

  /// Applies a function to its operands. Returns `nil` if an operand is missing.
  private static func value(of function: String, _ operands: [Any?]) -> Any? {
    let texts = operands.compactMap { $0 as? String }
    switch function {
    case "lowercase:": return texts.first?.lowercased()
    case "uppercase:": return texts.first?.uppercased()
    case "canonical:":
      return texts.first?.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    case "length:": return texts.first?.utf16.count
    case "now": return SimulatedValues.date
    default: break
    }
    guard signs[function] != nil, operands.count == 2 else {
      misuse("the function '\(function)' is not simulated")
    }
    guard let a = PredicateFormat.number(operands[0]), let b = PredicateFormat.number(operands[1])
    else {
      return nil
    }
    let result: Double
    switch function {
    case "add:to:": result = a + b
    case "from:subtract:": result = a - b
    case "multiply:by:": result = a * b
    default: result = a / b
    }
    return Int64(exactly: result).map { NSNumber(value: $0) } ?? NSNumber(value: result)
  }

  private static func walk(_ keys: ArraySlice<String>, from object: Any?) -> PredicateFormat.Content
  {
    guard let key = keys.first else { return .one(object) }
    let rest = keys.dropFirst()
    if let values = object as? [String: Any] { return walk(rest, from: values[key]) }
    if let text = object as? String, key == "length" { return .one(text.utf16.count) }
    if let manager = object as? NSMigrationManager {
      return walk(rest, from: manager.value(forExpressionKey: key))
    }
    guard let managed = object as? NSManagedObject else {
      if object == nil || object is NSNull { return .one(nil) }
      if let entity = object as? NSEntityDescription, key == "name" { return .one(entity.name) }
      misuse("'\(key)' of \(type(of: object!)): key-value coding of plain objects is not simulated")
    }
    let value = managed.value(forKey: key)
    guard value is NSOrderedSet || value is NSSet || value is Set<NSManagedObject> else {
      return rest.isEmpty ? .one(value) : walk(rest, from: value)
    }
    return .many(
      NSManagedObject.members(of: value).flatMap { walk(rest, from: $0).values })
  }
}

extension PredicateFormat.Content {
  var values: [Any?] {
    switch self {
    case .one(let value): [value]
    case .many(let values): values
    }
  }
}

extension NSNumber {
  /// A Boolean value that indicates whether the number has no fractional part.
  var isWhole: Bool {
    doubleValue == doubleValue.rounded()
  }
}

extension NSManagedObjectContext {
  /// Converts a value to the type of the attribute that it is compared with, as SQLite does.
  ///
  /// SQLite compares a string with a number as two strings if the attribute is a string, and as two
  /// numbers if the attribute is numeric. For other store types, a value of the wrong type is
  /// returned unchanged and traps later.
  func converted(_ value: Any, to type: AttributeType) -> Any {
    var root = self
    while let parent = root.parent { root = parent }
    let stores = root.persistentStoreCoordinator?.persistentStores ?? []
    guard stores.allSatisfy({ $0.type == NSSQLiteStoreType }) else { return value }
    switch type {
    case .string where value is NSNumber || value is any BinaryInteger: return "\(value)"
    case .integer16, .integer32, .integer64, .double, .float:
      guard let text = value as? String else { return value }
      return Int64(text).map { $0 as Any } ?? Double(text).map { $0 as Any } ?? value
    default: return value
    }
  }
}
