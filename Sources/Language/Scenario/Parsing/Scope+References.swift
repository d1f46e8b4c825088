import ObjectModel
import Prose
import Vocabulary

extension Scope {
  /// Reads the name of an object, such as `n`.
  mutating func object(_ line: inout LineReader) throws(TextError)
    -> (name: ObjectName, entity: EntityID)
  {
    let name = try line.identifier("the name of an object")
    return try object(name, line)
  }

  /// Reads a property of an object, such as `n.title`.
  mutating func path(_ line: inout LineReader) throws(TextError)
    -> (name: ObjectName, entity: EntityID, property: PropertyID)
  {
    let (name, entity) = try object(&line)
    guard line.takesDirectly(".") else {
      throw line.error(
        "expected a property instead of '\(names[name.index])'; write "
          + "'\(names[name.index]).PROPERTY'")
    }
    return (name, entity, try line.property(of: model[entity]))
  }

  /// Reads a held instance: `edit.n`, or `n` for an instance in `lane`.
  mutating func reference(_ line: inout LineReader, lane: ContextID?) throws(TextError)
    -> (reference: HeldInstance, entity: EntityID)
  {
    let first = try line.identifier("the name of an object")
    if line.takesDirectly(".") {
      let context = try context(first, "reference names context", line)
      let (name, entity) = try object(&line)
      return (HeldInstance(context, name), entity)
    }
    guard let lane else {
      let name = shortened(first)
      throw line.error("'\(name)' lacks its context; write 'CONTEXT.\(name)'")
    }
    let (name, entity) = try object(first, line)
    return (HeldInstance(lane, name), entity)
  }
}
