import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A mapping model as Xcode writes it: an `.xcmappingmodel` that contains an XML store of Core
/// Data.
package struct MappingModelFile: Sendable {
  /// The mapping of a property.
  package struct Property: Sendable {
    package let name: String
    /// The archived expression, or `nil` if the mapping has none.
    package let expression: ArchivedObject?
  }

  /// The mapping of an entity.
  package struct Entity: Sendable {
    /// The name of the mapping, or `nil` if the file has none. Xcode then derives a name from the
    /// names of the entities.
    package let name: String?
    package let source: String?
    package let destination: String?
    package let policy: String?
    package let attributes: [Property]
    package let relationships: [Property]
    package let sourceExpression: ArchivedObject?
    /// A Boolean value that indicates whether properties without an expression copy the source
    /// property with the same name.
    package let fillsIn: Bool
  }

  /// The path of the source model as stored by Xcode, relative to the project.
  package let sourcePath: String
  package let destinationPath: String
  /// The entity mappings, in order of execution.
  package let entities: [Entity]

  /// Reads the mapping model at `path`.
  package static func read(path: String) throws(InputError) -> MappingModelFile {
    let file = path + "/xcmapping.xml"
    guard let content = FileManager.default.contents(atPath: file) else {
      throw InputError(
        file: path,
        message: "no file 'xcmapping.xml' inside; an .xcmappingmodel keeps its XML there")
    }
    return try MappingModelFile(parsing: content, file: file)
  }

  init(parsing content: Data, file: String) throws(InputError) {
    // FoundationXML can trap on undecodable text and on document types, so Xcode's document type is
    // removed.
    guard var text = String(validUTF8: content) else {
      throw InputError(file: file, message: "not a text file; Xcode writes mapping models in UTF-8")
    }
    if let start = text.range(of: "<!DOCTYPE"),
      let end = text[start.lowerBound...].firstIndex(of: ">")
    {
      text.removeSubrange(start.lowerBound...end)
    }
    guard !text.contains("<!ENTITY") else {
      throw InputError(
        file: file, message: "declares XML entities, which mapping models do not have")
    }
    let parser = XMLParser(data: Data(text.utf8))
    let store = StoredObjects()
    parser.delegate = store
    _ = parser.parse()
    guard store.failure == nil, let model = store.first("MAPPINGMODEL") else {
      throw InputError(
        file: file, line: max(1, store.failure ?? 1),
        message: "not the XML of a mapping model as Xcode writes it")
    }
    sourcePath = model.attributes["sourcemodelpath"] ?? ""
    destinationPath = model.attributes["destinationmodelpath"] ?? ""
    var entities: [(number: Int, entity: Entity)] = []
    for object in store.members(of: model, "entitymappings") {
      entities.append(
        (Int(object.attributes["mappingnumber"] ?? "") ?? 0, try Entity(object, store, file)))
    }
    self.entities = entities.enumerated()
      .sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
      .map(\.element.entity)
  }
}

extension MappingModelFile.Entity {
  fileprivate init(
    _ object: StoredObjects.Object, _ store: StoredObjects, _ file: String
  ) throws(InputError) {
    name = object.attributes["name"]
    source = object.attributes["sourcename"]
    destination = object.attributes["destinationname"]
    policy = object.attributes["migrationpolicyclassname"]
    fillsIn = object.attributes["autogenerateexpression"] != "0"
    sourceExpression = try object.archive("sourceexpressiondata", file)
    func properties(_ key: String) throws(InputError) -> [MappingModelFile.Property] {
      var properties: [MappingModelFile.Property] = []
      for member in store.members(of: object, key) {
        guard let name = member.attributes["name"] else { continue }
        properties.append(
          .init(name: name, expression: try member.archive("valueexpressiondata", file)))
      }
      return properties.sorted { $0.name < $1.name }
    }
    attributes = try properties("attributemappings")
    relationships = try properties("relationshipmappings")
  }
}

/// The objects in an XML store.
private final class StoredObjects: NSObject, XMLParserDelegate {
  struct Object {
    let type: String
    var attributes: [String: String] = [:]
    var relationships: [String: [String]] = [:]

    func archive(_ key: String, _ file: String) throws(InputError) -> ArchivedObject? {
      guard let text = attributes[key] else { return nil }
      guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters),
        let object = ArchivedObject(data)
      else { throw InputError(file: file, message: "\(key) is not an archived expression") }
      return object
    }
  }

  /// The line at which the XML is malformed.
  var failure: Int?
  private var ids: [String] = []
  private var objects: [String: Object] = [:]
  private var open: (id: String, key: String?)?

  /// Returns the first object of a type, ignoring the prefix that Xcode adds to the type's name.
  func first(_ type: String) -> Object? {
    ids.lazy.compactMap { self.objects[$0] }.first { $0.type.hasSuffix(type) }
  }

  func members(of object: Object, _ key: String) -> [Object] {
    (object.relationships[key] ?? []).compactMap { objects[$0] }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    switch name {
    case "object":
      guard let id = attributes["id"] else { return }
      ids.append(id)
      objects[id] = Object(type: attributes["type"] ?? "")
      open = (id, nil)
    case "attribute":
      guard let id = open?.id, let key = attributes["name"] else { return }
      open?.key = key
      objects[id]?.attributes[key] = ""
    case "relationship":
      guard let id = open?.id, let key = attributes["name"] else { return }
      objects[id]?.relationships[key] = attributes["idrefs"]?.split(separator: " ").map(String.init)
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    guard let open, let key = open.key else { return }
    objects[open.id]?.attributes[key]?.append(text)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if name == "attribute" { open?.key = nil }
    if name == "object" { open = nil }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    failure = failure ?? parser.lineNumber
  }
}
