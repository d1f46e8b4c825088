import ObjectModel
import Vocabulary

extension Scope {
  /// A relationship of an object as the operand of a step.
  struct RelationshipPath {
    let name: ObjectName
    let property: PropertyID
    let destination: EntityID
    /// The spelling of the path, such as `n.folder`.
    let text: String
  }

  /// Parses the path of an attribute, such as `n.title`, in a step.
  mutating func attributePath(_ line: inout LineReader) throws(TextError)
    -> (ObjectName, PropertyID, Attribute)
  {
    let (name, entity, property) = try path(&line)
    switch model[entity][property].kind {
    case .attribute(let attribute): return (name, property, attribute)
    case .relationship(let relationship):
      let verb = relationship.isToMany ? "replace" : "relate"
      throw line.error("'\(model[entity][property].name)' is a relationship; write '\(verb)'")
    }
  }

  /// Parses the path of a relationship, such as `n.folder` or `n.tags`, in a step.
  mutating func relationshipPath(_ line: inout LineReader, isToMany: Bool) throws(TextError)
    -> RelationshipPath
  {
    let (name, entity, number) = try path(&line)
    let property = model[entity][number]
    guard let relationship = property.relationship else {
      throw line.error("'\(property.name)' is an attribute; write 'set'")
    }
    if relationship.isToMany != isToMany {
      throw line.error(
        isToMany
          ? "'\(property.name)' leads to one object; write 'relate'"
          : "'\(property.name)' leads to many objects; write 'add', 'remove' or 'replace'")
    }
    return RelationshipPath(
      name: name, property: number, destination: relationship.destination,
      text: "\(names[name.index]).\(property.name)")
  }

  /// Reads an object to which the relationship can lead.
  mutating func member(
    of path: RelationshipPath, _ line: inout LineReader, _ lane: ContextID
  ) throws(TextError) -> HeldInstance {
    let (reference, entity) = try reference(&line, lane: lane)
    if model.entity(entity, inherits: path.destination) { return reference }
    throw line.error(
      "'\(names[reference.name.index])' is a '\(model[entity].name)'; \(path.text) leads to "
        + "'\(model[path.destination].name)'")
  }
}
