import ObjectModel
import Vocabulary

/// The objects that the names of a program stand for.
///
/// `insert` binds a name directly. `object edit.n as b` binds a name by another name, and
/// `get n.folder as f` by another name and the relationship `Key`. The order of bindings in the
/// text is irrelevant, because observers are written above the steps that insert the objects they
/// use.
struct NameBindings<Name: Hashable, Key: Hashable> {
  /// A binding of a name by another name.
  private struct Alias {
    var name: Name
    /// The relationship that leads to the object, or `nil` for the same object.
    var key: Key?
  }

  private var entities: [Name: EntityID] = [:]
  private var aliases: [Name: Alias] = [:]
  /// All bound names, in the order of the text.
  private(set) var names: [Name] = []
  /// Names whose binding refers to something that the model does not have.
  private var namesOfMistakes: Set<Name> = []

  mutating func bind(_ name: Name, to entity: EntityID) {
    guard entities[name] == nil else { return }
    if aliases[name] == nil { names.append(name) }
    entities[name] = entity
  }

  /// Binds `name` to the object of `other`, or to the destination of its relationship `key`.
  mutating func bind(_ name: Name, toSameAs other: Name, over key: Key? = nil) {
    guard aliases[name] == nil else { return }
    if entities[name] == nil { names.append(name) }
    aliases[name] = Alias(name: other, key: key)
  }

  /// Resolves each alias to its entity.
  ///
  /// - Parameter destination: Returns the destination of a relationship, or `nil` for any other
  ///   key.
  mutating func resolve(_ destination: (Key, EntityID) -> EntityID?) {
    var visited: Set<Name> = []
    for alias in names {
      var path: [(name: Name, key: Key?)] = []
      var current = alias
      // A visited name without an entity cannot be resolved.
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

  /// Returns a Boolean value that indicates whether a line binds the name, although the binding is
  /// mistaken.
  func isMeant(_ name: Name) -> Bool {
    namesOfMistakes.contains(name)
      || aliases[name].map { namesOfMistakes.contains($0.name) } ?? false
  }
}

/// The bindings of a program's names, which are numbered.
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
