import Execution
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The lines of the protocol: the input of adapters, and their expected answers.
struct ProtocolText {
  let model: ObjectModel
  let stack: Stack
  let names: [String]
  /// The entities of the objects that the program inserts or looks up.
  let entities: [ObjectName: EntityID]

  init(_ program: Program) {
    model = program.model
    stack = program.stack
    names = program.names
    var entities: [ObjectName: EntityID] = [:]
    for step in program.steps {
      switch step.step {
      case .insert(let entity, let name): entities[name] = entity
      case .object(let instance, let name), .existingObject(let instance, let name),
        .registeredObject(let instance, let name):
        entities[name] = entities[name] ?? entities[instance.name]
      default: break
      }
    }
    self.entities = entities
  }

  // MARK: Declarations

  /// The lines of the model and the stack, up to `begin`.
  var declarations: [String] {
    model.entities.flatMap(lines)
      + stack.contexts.map { "context \($0.name) \($0.mergePolicy.rawValue)" } + ["begin"]
  }

  private func lines(_ entity: Entity) -> [String] {
    let inherited = entity.parent.map { model[$0].properties.count } ?? 0
    let parent = entity.parent.map { model[$0].name } ?? "-"
    return ["entity \(entity.name) \(parent) \(entity.isAbstract ? "abstract" : "concrete")"]
      + entity.properties.dropFirst(inherited).map { line($0, of: entity) }
  }

  private func line(_ property: Property, of entity: Entity) -> String {
    switch property.kind {
    case .attribute(let attribute):
      "attribute \(entity.name) \(property.name) \(attribute.type.rawValue) "
        + "\(attribute.isOptional ? "optional" : "required") \(text(attribute.defaultValue, nil))"
    case .relationship(let relationship):
      "relationship \(entity.name) \(property.name) \(model[relationship.destination].name) "
        + "\(relationship.isToMany ? "many" : "one") "
        + "\(relationship.isOptional ? "optional" : "required") "
        + (relationship.inverse.map { model[relationship.destination][$0].name } ?? "-")
        + " \(relationship.deleteRule.rawValue)"
    }
  }

  // MARK: Values

  /// Returns a value such as `nil`, `i:7`, `b:true`, `s:a%20b` or `o:n`.
  func text(_ value: Value, _ world: World?) -> String {
    switch value {
    case .null: "nil"
    case .boolean(let flag): "b:\(flag)"
    case .integer(let number): "i:\(number)"
    case .string(let symbol): "s:\(escaped(model.symbols.text(of: symbol)))"
    case .object(let id): "o:\(world.map { name(id, $0) } ?? "?")"
    default: preconditionFailure("a value of a type that no plain model has")
    }
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case " ": result += "%20"
      case "%": result += "%25"
      case ",": result += "%2C"
      default: result.append(character)
      }
    }
    return result
  }

  func name(_ id: ObjectID, _ world: World) -> String {
    world.graph.name(of: id).map { names[$0.index] } ?? "?"
  }

  func list(_ ids: [ObjectID], _ world: World) -> String {
    "[" + ids.map { name($0, world) }.sorted().joined(separator: ",") + "]"
  }

  // MARK: What can be seen

  func flags(_ world: World) -> [String] {
    var result: [String] = []
    for context in stack.contextIDs {
      if world.graph.hasChanges(context) { result.append(stack[context].name) }
      for (index, name) in names.enumerated() {
        guard let view = world.graph.heldInstance(context, ObjectName(index)) else { continue }
        let letters =
          (view.isInserted ? "I" : "") + (view.isUpdated ? "U" : "") + (view.isDeleted ? "D" : "")
        if !letters.isEmpty { result.append("\(stack[context].name).\(name):\(letters)") }
      }
    }
    return result.sorted()
  }

  func registered(_ world: World) -> Set<String> {
    var result: Set<String> = []
    for context in stack.contextIDs {
      for (index, name) in names.enumerated()
      where world.graph.heldInstance(context, ObjectName(index)) != nil {
        result.insert("\(stack[context].name).\(name)")
      }
    }
    return result
  }

  /// Returns each row in the form `n{title=s:a,folder=o:m,tags=[k]}`.
  func rows(_ world: World) -> [String] {
    world.graph.rows(of: StoreID(0)).map { row in
      let entity = model[row.id.entity]
      let fields = entity.propertyIDs.map { property in
        let slot = world.graph.slot(of: property, in: row.id.entity)
        let value =
          entity[property].isToMany
          ? list(row.collections[slot], world) : text(row.values[slot], world)
        return "\(entity[property].name)=\(value)"
      }
      return "\(name(row.id, world)){\(fields.sorted().joined(separator: " "))}"
    }.sorted()
  }
}
