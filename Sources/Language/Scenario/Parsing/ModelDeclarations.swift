import ObjectModel
import Prose

/// The declarations of a model, sorted by kind. Names in them are not yet resolved.
struct ModelDeclarations {
  /// A declaration whose first word was read.
  struct Member {
    let name: String
    let rest: LineReader
  }

  struct Entity {
    let line: Int
    let name: String
    let isAbstract: Bool
    let parent: String?
    var properties: [Member] = []
    var constraints: [LineReader] = []
    var hookActions: [(hook: Hook, rest: LineReader)] = []
  }

  private(set) var entities: [Entity] = []

  init(_ lines: ArraySlice<Line>, indentation: Int, _ errors: inout TextErrors) {
    // Skips the members of an entity whose line could not be read.
    var isSkipping = false
    for line in lines {
      // Comments are allowed only in model files, and are lost when a model is printed. In a
      // scenario, its layout rejects them.
      if line.begins(with: "#") { continue }
      let isEntity = line.indentation == indentation
      if isSkipping, !isEntity { continue }
      do throws(TextError) {
        try declare(line, indentation, &errors)
        isSkipping = false
      } catch {
        errors.add(error)
        isSkipping = isEntity || entities.isEmpty || sectionName(of: line, indentation) != nil
      }
    }
  }

  private mutating func declare(
    _ line: Line, _ indentation: Int, _ errors: inout TextErrors
  ) throws(TextError) {
    switch line.indentation {
    case indentation: try declareEntity(LineReader(line), membersIndentedBy: indentation + 2)
    case indentation + 2: try declareMember(LineReader(line))
    default:
      if let line = sectionName(of: line, indentation) {
        throw TextError(
          line: line,
          message: "'model' begins a section of a scenario; leave out this line, and do not "
            + "indent entities")
      }
      errors.add(
        line.misplaced(
          "line is indented by \(line.indentationText); entities are indented by "
            + "\(indentation), their members by \(indentation + 2)"))
      if line.looksLikeEntity {
        try declareEntity(LineReader(line), membersIndentedBy: indentation + 2)
      } else if !entities.isEmpty {
        try declareMember(LineReader(line))
      }
    }
  }

  /// Returns the line number of a `model` heading in a model file that contains a scenario's whole
  /// section.
  ///
  /// Such a heading is parsed as an entity, and the entities below it as its members.
  private func sectionName(of line: Line, _ indentation: Int) -> Int? {
    guard indentation == 0, line.indentation == 4, entities.count == 1, entities[0].name == "model"
    else { return nil }
    return entities[0].line
  }

  private mutating func declareEntity(
    _ line: LineReader, membersIndentedBy indentation: Int
  ) throws(TextError) {
    var line = line
    let isAbstract = line.takes(keyword: "abstract")
    let name = try line.identifier("the name of an entity")
    if ModelText.reservedEntityNames.contains(name) {
      throw line.error("'\(name)' cannot be an entity's name; it has another meaning in models")
    }
    let parent = line.takes(":") ? try line.identifier("the name of the parent entity") : nil
    if !isAbstract, line.takes(keyword: "abstract") {
      throw line.error("'abstract' precedes the name of an entity: 'abstract \(shortened(name))'")
    }
    if parent == nil, !line.isAtEnd {
      throw line.error(
        "'\(shortened(line.nextWord))' follows the name of an entity; if '\(shortened(name))' is a member of one, "
          + "indent it by \(indentation)")
    }
    try line.expectEnd()
    // Object IDs have 16 bits for the entity.
    if entities.count == 65_535 { throw line.error("model has more than 65535 entities") }
    entities.append(Entity(line: line.line, name: name, isAbstract: isAbstract, parent: parent))
  }

  private mutating func declareMember(_ line: LineReader) throws(TextError) {
    var line = line
    guard let last = entities.indices.last else {
      throw line.error("member without an entity; write the entity's name first")
    }
    let name = try line.identifier("the name of a property")
    if name == "unique" {
      entities[last].constraints.append(line)
    } else if let hook = Hook(rawValue: name) {
      guard ModelText.actionHooks.contains(hook) else {
        let known = ModelText.actionHooks.map(\.rawValue)
        throw line.error(unknown("no actions in", name, "actions are allowed in", known))
      }
      entities[last].hookActions.append((hook, line))
    } else {
      entities[last].properties.append(Member(name: name, rest: line))
    }
  }
}

extension Line {
  /// A Boolean value that indicates whether the line has the form of an entity: a name without a
  /// type, `abstract`, or a name with a parent.
  fileprivate var looksLikeEntity: Bool {
    var reader = LineReader(self)
    let isAbstract = reader.takes(keyword: "abstract")
    guard let name = reader.identifier(), name != "unique" else { return false }
    if isAbstract || reader.isAtEnd { return true }
    return reader.takes(":") && reader.identifier() != nil && reader.isAtEnd
  }
}
