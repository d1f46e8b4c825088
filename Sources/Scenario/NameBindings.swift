import ObjectModel
import Vocabulary

/// What the names of a program stand for.
///
/// `insert` says it at once, `object edit.n as b` by another name. Where a text binds a name does
/// not matter: an observer's steps are written above those that insert what it uses.
struct NameBindings<Name: Hashable> {
  private var entities: [Name: EntityID] = [:]
  private var aliases: [Name: Name] = [:]
  /// All bound names, in the order of the text.
  private(set) var names: [Name] = []
  /// Names that a line binds to an entity that the model has not.
  private var namesOfMistakes: Set<Name> = []

  mutating func bind(_ name: Name, to entity: EntityID) {
    guard entities[name] == nil else { return }
    if aliases[name] == nil { names.append(name) }
    entities[name] = entity
  }

  mutating func bind(_ name: Name, toSameAs other: Name) {
    guard aliases[name] == nil else { return }
    if entities[name] == nil { names.append(name) }
    aliases[name] = other
  }

  /// Follows each alias to what it stands for in the end.
  mutating func resolve() {
    var visited: Set<Name> = []
    for alias in names {
      var path: [Name] = []
      var current = alias
      // A name that was visited and has no entity leads nowhere.
      while entities[current] == nil, visited.insert(current).inserted,
        let next = aliases[current]
      {
        path.append(current)
        current = next
      }
      guard let entity = entities[current] else { continue }
      for name in path { entities[name] = entity }
    }
  }

  func entity(of name: Name) -> EntityID? { entities[name] }

  mutating func noteMistake(about name: Name) { namesOfMistakes.insert(name) }

  /// Whether some line binds the name, although it stands for nothing.
  func isMeant(_ name: Name) -> Bool {
    namesOfMistakes.contains(name) || aliases[name].map(namesOfMistakes.contains) ?? false
  }
}

extension NameBindings<ObjectName> {
  mutating func add(_ steps: [AddressedStep]) {
    for addressed in steps {
      switch addressed.step {
      case .insert(let entity, let name): bind(name, to: entity)
      case .object(let reference, let name), .existingObject(let reference, let name),
        .registeredObject(let reference, let name), .objectForURI(let reference, let name):
        if name != reference.name { bind(name, toSameAs: reference.name) }
      default: add(addressed.step.block ?? [])
      }
    }
  }
}

extension NameBindings<String> {
  /// Looks for the words that bind names, and leaves it to others to say what is wrong with a line.
  mutating func add(_ lines: [Line], _ model: ObjectModel) {
    var entities: [String: EntityID] = [:]
    for (index, entity) in model.entities.enumerated() { entities[entity.name] = EntityID(index) }
    for line in lines where !line.begins(with: ">") {
      var reader = LineReader(line)
      var verb = reader.identifier()
      // The lane may be left out, and no lane has a verb's name.
      if verb.flatMap(Verb.init(word:)) == nil { verb = reader.identifier() }
      switch verb.flatMap(Verb.init(word:)) {
      case .insert:
        guard let word = reader.identifier(), reader.takes(keyword: "as"),
          let name = reader.identifier()
        else { continue }
        if let entity = entities[word] { bind(name, to: entity) } else { noteMistake(about: name) }
      case .object, .existingObject, .registeredObject, .objectForURI:
        guard let first = reader.identifier() else { continue }
        let other = reader.takesDirectly(".") ? reader.identifier() : first
        guard let other, reader.takes(keyword: "as"), let name = reader.identifier(),
          name != other
        else { continue }
        bind(name, toSameAs: other)
      default: continue
      }
    }
  }
}
