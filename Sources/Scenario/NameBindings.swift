import ObjectModel
import Vocabulary

/// What the names of a program stand for.
///
/// `insert` says it at once, `object edit.n as b` by another name, `get n.folder as f` by another
/// name and a relationship, which `Key` calls. Where a text binds a name does not matter: an
/// observer's steps are written above those that insert what it uses.
struct NameBindings<Name: Hashable, Key: Hashable> {
  /// What a name stands for, by another one.
  private struct Alias {
    var name: Name
    /// The relationship that leads there; nil for the same object.
    var key: Key?
  }

  private var entities: [Name: EntityID] = [:]
  private var aliases: [Name: Alias] = [:]
  /// All bound names, in the order of the text.
  private(set) var names: [Name] = []
  /// Names that a line binds to what the model has not.
  private var namesOfMistakes: Set<Name> = []

  mutating func bind(_ name: Name, to entity: EntityID) {
    guard entities[name] == nil else { return }
    if aliases[name] == nil { names.append(name) }
    entities[name] = entity
  }

  /// To the same as `other`, or to what the relationship `key` of `other` leads to.
  mutating func bind(_ name: Name, toSameAs other: Name, over key: Key? = nil) {
    guard aliases[name] == nil else { return }
    if entities[name] == nil { names.append(name) }
    aliases[name] = Alias(name: other, key: key)
  }

  /// Follows each alias to what it stands for in the end. `destination` is nil for what is no
  /// relationship.
  mutating func resolve(_ destination: (Key, EntityID) -> EntityID?) {
    var visited: Set<Name> = []
    for alias in names {
      var path: [(name: Name, key: Key?)] = []
      var current = alias
      // A name that was visited and has no entity leads nowhere.
      while entities[current] == nil, visited.insert(current).inserted,
        let next = aliases[current]
      {
        path.append((current, next.key))
        current = next.name
      }
      guard var entity = entities[current] else { continue }
      for (name, key) in path.reversed() {
        if let key {
          guard let end = destination(key, entity) else {
            noteMistake(about: name)
            break
          }
          entity = end
        }
        entities[name] = entity
      }
    }
  }

  func entity(of name: Name) -> EntityID? { entities[name] }

  mutating func noteMistake(about name: Name) { namesOfMistakes.insert(name) }

  /// Whether some line binds the name, although it stands for nothing.
  func isMeant(_ name: Name) -> Bool {
    namesOfMistakes.contains(name)
      || aliases[name].map { namesOfMistakes.contains($0.name) } ?? false
  }
}

/// The names of a program by their numbers.
typealias ProgramBindings = NameBindings<ObjectName, PropertyID>

extension ProgramBindings {
  mutating func add(_ steps: [AddressedStep]) {
    for addressed in steps {
      switch addressed.step {
      case .insert(let entity, let name): bind(name, to: entity)
      case .object(let reference, let name), .existingObject(let reference, let name),
        .registeredObject(let reference, let name), .objectForURI(let reference, let name):
        if name != reference.name { bind(name, toSameAs: reference.name) }
      case .get(let object, let property, as: let name?):
        bind(name, toSameAs: object, over: property)
      case .fetch(let request, as: let name?): bind(name, to: request.entity)
      default: add(addressed.step.block ?? [])
      }
    }
  }
}
