public import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// A predicate format, as far as stores can be asked: comparisons that all must hold.
struct Format {
  struct Term {
    var key: String
    var relation: Comparison.Relation
    var operand: Any?
  }

  private(set) var terms: [Term] = []

  /// Traps at what is not understood, and names it.
  init(_ format: String, _ arguments: [Any]) {
    var arguments = arguments[...]
    var words = Format.words(of: format)[...]
    if words == ["TRUEPREDICATE"] { return }
    while !words.isEmpty {
      guard words.count >= 3 else { Format.fail(format, "a comparison has three parts") }
      let (key, sign, operand) = (words.removeFirst(), words.removeFirst(), words.removeFirst())
      guard let relation = Format.relations[sign] else {
        Format.fail(format, "'\(sign)' is not simulated")
      }
      var name = key
      if key == "%K" { name = Format.take(&arguments, format) as? String ?? "" }
      let value = Format.value(operand, &arguments, format)
      terms.append(Term(key: name, relation: relation, operand: value))
      guard let conjunction = words.popFirst() else { return }
      guard ["AND", "&&"].contains(conjunction.uppercased()) else {
        Format.fail(format, "'\(conjunction)' is not simulated")
      }
    }
  }

  private static let relations: [String: Comparison.Relation] = [
    "==": .equal, "=": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, ">": .greater,
  ]

  private static func fail(_ format: String, _ reason: String) -> Never {
    misuse("the predicate format \"\(format)\" cannot be carried out: \(reason)")
  }

  private static func take(_ arguments: inout ArraySlice<Any>, _ format: String) -> Any {
    guard let argument = arguments.popFirst() else { fail(format, "an argument is missing") }
    return argument
  }

  private static func value(
    _ word: String, _ arguments: inout ArraySlice<Any>, _ format: String
  ) -> Any? {
    if word.hasPrefix("%") {
      let argument = take(&arguments, format)
      return argument is NSNull ? nil : argument
    }
    if let quote = word.first, quote == "\"" || quote == "'" {
      return String(word.dropFirst().dropLast())
    }
    switch word.uppercased() {
    case "NIL", "NULL": return nil
    case "YES", "TRUE": return true
    case "NO", "FALSE": return false
    default: break
    }
    if let number = Int(word) { return number }
    if let number = Double(word) { return number }
    fail(format, "'\(word)' is no value")
  }

  /// Names, signs, quoted texts; signs need no spaces around them.
  private static func words(of format: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    func isSign(_ character: Character) -> Bool { "=!<>&|".contains(character) }
    for character in format {
      if let open = quote {
        word.append(character)
        if character == open {
          words.append(word)
          word = ""
          quote = nil
        }
        continue
      }
      let continues = word.last.map { isSign($0) == isSign(character) } ?? true
      if character == " " || character == "\"" || character == "'" || !continues {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if character == "\"" || character == "'" { quote = character }
      if character != " " { word.append(character) }
    }
    return word.isEmpty ? words : words + [word]
  }

  // MARK: In a predicate

  /// A predicate of Foundation's keeps nothing of ours but a block, which tells its format to this.
  private final class Probe: NSObject {
    var format: Format?
  }

  static func predicate(_ format: Format) -> (Any?) -> Bool {
    { object in
      guard let probe = object as? Probe else {
        misuse("a predicate with a format is evaluated in memory, which is not simulated")
      }
      probe.format = format
      return true
    }
  }

  static func of(_ predicate: NSPredicate) -> Format {
    if let compound = predicate as? NSCompoundPredicate {
      guard compound.compoundPredicateType == .and else {
        misuse("a compound predicate other than AND is not simulated")
      }
      var format = Format("TRUEPREDICATE", [])
      format.terms = compound.subpredicates.flatMap { Format.of($0).terms }
      return format
    }
    let probe = Probe()
    if predicate.evaluate(with: probe), let format = probe.format { return format }
    misuse("a store cannot be asked by a predicate that is a block")
  }

  func comparisons(of entity: EntityID, _ context: NSManagedObjectContext) -> [Comparison] {
    terms.map { term in
      let declared = context.run.model[entity]
      guard let id = declared.property(named: term.key) else {
        misuse("the entity \(declared.name) has no property '\(term.key)'")
      }
      let operand: Comparison.Operand
      if let object = term.operand as? NSManagedObject {
        operand = .object(object.handle)
      } else if let attribute = declared[id].attribute {
        operand = .value(context.state.value(of: term.operand, attribute.type))
      } else if term.operand == nil {
        operand = .value(.null)
      } else {
        misuse("'\(term.key)' is compared with something that is no object")
      }
      return Comparison(property: id, relation: term.relation, operand: operand)
    }
  }
}

extension NSPredicate {
  /// A predicate in Core Data's format: comparisons by `==`, `!=`, `<` and `>`, joined by `AND`.
  public convenience init(format: String, _ arguments: Any...) {
    self.init(format: format, argumentArray: arguments)
  }

  /// Likewise, with the arguments in an array.
  public convenience init(format: String, argumentArray arguments: [Any]?) {
    let body = Format.predicate(Format(format, arguments ?? []))
    self.init(block: { object, _ in body(object) })
  }
}

/// What a sort by an attribute compares; never looked at, because stores sort.
public struct AttributeOrder: Comparable, Sendable {
  /// False: stores know the order.
  public static func < (a: AttributeOrder, b: AttributeOrder) -> Bool { false }
}

extension NSManagedObject {
  /// Leads a sort descriptor to the name of its attribute.
  public subscript(order key: String) -> AttributeOrder {
    state.sortKey = key
    return AttributeOrder()
  }
}

extension NSSortDescriptor {
  /// Sorts by the attribute of this name.
  public convenience init(key: String?, ascending: Bool) {
    self.init(keyPath: \NSManagedObject[order: key ?? ""], ascending: ascending)
  }

  var attributeName: String {
    let state = RunState.current
    let probe = NSManagedObject(entity: NSEntityDescription(), insertInto: nil)
    guard let path = keyPath as? KeyPath<NSManagedObject, AttributeOrder> else {
      misuse("sort descriptors are simulated that are made with init(key:ascending:)")
    }
    _ = probe[keyPath: path]
    return state.sortKey
  }
}
