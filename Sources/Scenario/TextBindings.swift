import ObjectModel
import Vocabulary

/// The names of a text, found before its steps are read: which words bind them, and where.
struct TextBindings {
  private var bindings = NameBindings<String, String>()
  /// The first line in which `insert` or a look-up gives the name.
  private var lines: [String: Int] = [:]
  private let model: ObjectModel
  private var entities: [String: EntityID] = [:]

  init(_ model: ObjectModel) {
    self.model = model
    for (index, entity) in model.entities.enumerated() { entities[entity.name] = EntityID(index) }
  }

  var names: [String] { bindings.names }

  func entity(of name: String) -> EntityID? { bindings.entity(of: name) }

  /// Whether some line binds the name, although it stands for nothing.
  func isMeant(_ name: String) -> Bool { bindings.isMeant(name) }

  /// Where the name is given to an object that is inserted or looked up; nil for the name of what a
  /// read finds.
  func line(of name: String) -> Int? { lines[name] }

  /// Looks for the words that bind names, and leaves it to others to say what is wrong with a line.
  mutating func add(_ lines: [Line]) {
    for line in lines where !line.begins(with: ">") {
      var reader = LineReader(line)
      var verb = reader.identifier()
      // The lane may be left out, and no lane has a verb's name.
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

  /// Follows each name to what it stands for in the end.
  mutating func resolve() {
    bindings.resolve { key, entity in
      model[entity].property(named: key).flatMap { property in
        let relationship = model[entity][property].relationship
        return relationship.flatMap { $0.isToMany ? nil : $0.destination }
      }
    }
  }

  /// `Note as n`
  private mutating func addInsert(_ reader: inout LineReader) {
    guard let word = reader.identifier(), reader.takes(keyword: "as"),
      let name = reader.identifier()
    else { return }
    if lines[name] == nil { lines[name] = reader.line }
    bind(name, to: word)
  }

  /// `edit.n as b`, `n as b`
  private mutating func addLookUp(_ reader: inout LineReader) {
    guard let first = reader.identifier() else { return }
    let other = reader.takesDirectly(".") ? reader.identifier() : first
    guard let other, reader.takes(keyword: "as"), let name = reader.identifier(), name != other
    else { return }
    if lines[name] == nil { lines[name] = reader.line }
    bindings.bind(name, toSameAs: other)
  }

  /// `n.folder as f`
  private mutating func addGet(_ reader: inout LineReader) {
    guard let object = reader.identifier(), reader.takesDirectly("."),
      let property = reader.identifier(), reader.takes(keyword: "as"),
      let name = reader.identifier(), name != object
    else { return }
    bindings.bind(name, toSameAs: object, over: property)
  }

  /// `Note where title == "x" as n`: the last two words.
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
