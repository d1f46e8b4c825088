import ObjectModel
import Vocabulary

/// The names of objects in a text, collected before its steps are parsed.
struct TextBindings {
  private var bindings = NameBindings<String, String>()
  /// The first line in which an insertion or a lookup binds each name.
  private var lines: [String: Int] = [:]
  private let model: ObjectModel
  private var entities: [String: EntityID] = [:]

  init(_ model: ObjectModel) {
    self.model = model
    for (index, entity) in model.entities.enumerated() { entities[entity.name] = EntityID(index) }
  }

  var names: [String] { bindings.names }

  func entity(of name: String) -> EntityID? { bindings.entity(of: name) }

  /// Returns a Boolean value that indicates whether a line binds the name, although the binding is
  /// mistaken.
  func isMeant(_ name: String) -> Bool { bindings.isMeant(name) }

  /// Returns the line of the insertion or lookup that binds the name. Returns `nil` for the name of
  /// a read's result.
  func line(of name: String) -> Int? { lines[name] }

  /// Collects the bindings in the lines. Errors are reported later, when the lines are parsed.
  mutating func add(_ lines: [Line]) {
    for line in lines where !line.begins(with: ">") {
      var reader = LineReader(line)
      var verb = reader.identifier()
      // The lane can be omitted, and no lane has the name of a verb.
      if verb.flatMap(Verb.init(word:)) == nil { verb = reader.identifier() }
      switch verb.flatMap(Verb.init(word:)) {
      case .insert: addInsert(&reader)
      case .object, .existingObject, .registeredObject, .objectForURI: addLookUp(&reader)
      case .get: addGet(&reader)
      case .fetch: addFetch(&reader, line)
      default: continue
      }
    }
  }

  /// Resolves each name to its entity.
  mutating func resolve() {
    bindings.resolve { key, entity in
      model[entity].property(named: key).flatMap { property in
        let relationship = model[entity][property].relationship
        return relationship.flatMap { $0.isToMany ? nil : $0.destination }
      }
    }
  }

  /// Collects the binding in the operands of `insert`, such as `Note as n`.
  private mutating func addInsert(_ reader: inout LineReader) {
    guard let word = reader.identifier(), reader.takes(keyword: "as"),
      let name = reader.identifier()
    else { return }
    if lines[name] == nil { lines[name] = reader.line }
    bind(name, to: word)
  }

  /// Collects the binding in the operands of a lookup, such as `edit.n as b` or `n as b`.
  private mutating func addLookUp(_ reader: inout LineReader) {
    guard let first = reader.identifier() else { return }
    let other = reader.takesDirectly(".") ? reader.identifier() : first
    guard let other, reader.takes(keyword: "as"), let name = reader.identifier(), name != other
    else { return }
    if lines[name] == nil { lines[name] = reader.line }
    bindings.bind(name, toSameAs: other)
  }

  /// Collects the binding in the operands of `get`, such as `n.folder as f`.
  private mutating func addGet(_ reader: inout LineReader) {
    guard let object = reader.identifier(), reader.takesDirectly("."),
      let property = reader.identifier(), reader.takes(keyword: "as"),
      let name = reader.identifier(), name != object
    else { return }
    bindings.bind(name, toSameAs: object, over: property)
  }

  /// Collects the binding in the last two words of a fetch, such as `Note where title == "x" as n`.
  private mutating func addFetch(_ reader: inout LineReader, _ line: Line) {
    guard let word = reader.identifier() else { return }
    let parts = line.bytes.split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
    guard let name = parts.last, parts.dropLast().last == RequestKeyword.as.rawValue,
      isIdentifier(name)
    else { return }
    bind(name, to: word)
  }

  private mutating func bind(_ name: String, to word: String) {
    if let entity = entities[word] {
      bindings.bind(name, to: entity)
    } else {
      bindings.noteMistake(about: name)
    }
  }
}
