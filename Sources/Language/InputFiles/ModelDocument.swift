import Foundation
import Prose

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The declarations in the XML of a model, with their lines and with notes on ignored parts. Names
/// are not yet resolved.
struct ModelDocument {
  struct EntityDeclaration {
    var element: ModelElement
    var properties: [PropertyDeclaration] = []
    var uniquenessConstraints: [[ModelElement]] = []
    var fetchedProperties: [FetchedProperty] = []
    var indexes: [FetchIndex] = []
  }

  /// An index, with the elements that name its properties.
  struct FetchIndex {
    let element: ModelElement
    var parts: [ModelElement] = []
  }

  /// A fetched property with its request, if any.
  struct FetchedProperty {
    let element: ModelElement
    var request: ModelElement?
  }

  enum PropertyDeclaration {
    case attribute(ModelElement)
    case relationship(ModelElement)

    var element: ModelElement {
      switch self {
      case .attribute(let element), .relationship(let element): element
      }
    }

    /// Returns this declaration with an entry added to its user info.
    func noting(_ key: String, _ value: String) -> PropertyDeclaration {
      var element = element
      element.userInfo[key] = value
      switch self {
      case .attribute: return .attribute(element)
      case .relationship: return .relationship(element)
      }
    }
  }

  /// A configuration and the names of its entities.
  struct Configuration {
    let name: String
    var entities: [String] = []
  }

  let file: String
  let entities: [EntityDeclaration]
  let configurations: [Configuration]
  /// The named fetch requests of the model.
  let requests: [ModelElement]
  /// The name of the model's version, if the model states one.
  let versionIdentifier: String?
  /// Notes on the parts of the file that are ignored.
  let notes: ModelNotes

  init(parsing content: Data, file: String) throws(InputError) {
    // FoundationXML can trap on undecodable text and on document types.
    guard String(validUTF8: content) != nil else {
      throw InputError(file: file, message: "not a text file; Xcode writes models in UTF-8")
    }
    guard content.range(of: Data("<!DOCTYPE".utf8)) == nil else {
      throw InputError(
        file: file, message: "has a document type declaration, which models do not have")
    }
    let parser = XMLParser(data: content)
    let collector = ElementCollector(file: file)
    parser.delegate = collector
    // The result is unreliable: on Linux, it is true for truncated XML.
    _ = parser.parse()
    if let failure = collector.failure { throw failure }
    guard collector.hasRoot else {
      throw InputError(file: file, message: "empty; it should hold the XML of a model")
    }
    self.file = file
    entities = collector.entities
    configurations = collector.configurations
    requests = collector.requests
    versionIdentifier = collector.versionIdentifier
    notes = collector.notes
  }
}

private final class ElementCollector: NSObject, XMLParserDelegate {
  let file: String
  var entities: [ModelDocument.EntityDeclaration] = []
  var configurations: [ModelDocument.Configuration] = []
  var requests: [ModelElement] = []
  var notes = ModelNotes()
  var hasRoot = false
  var versionIdentifier: String?
  /// The first error. The parser continues after an error and may find more.
  var failure: InputError? = nil
  private var openElements: [String] = []
  private static let depthLimit = 30

  init(file: String) { self.file = file }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    guard failure == nil else { return }
    openElements.append(name)
    let element = ModelElement(file: file, line: parser.lineNumber, attributes: attributes)
    guard openElements.count <= ElementCollector.depthLimit else {
      failure = element.error(
        "elements are nested more than \(ElementCollector.depthLimit) levels deep; Xcode writes 6 levels"
      )
      return
    }
    declare(element, at: openElements.joined(separator: "/"))
    noteWhatIsPassedOver(element, called: name)
  }

  private func declare(_ element: ModelElement, at path: String) {
    let last = entities.count - 1
    switch path {
    case "model":
      hasRoot = true
      versionIdentifier = element["userDefinedModelVersionIdentifier"]
    case "model/entity":
      entities.append(.init(element: element))
    case "model/entity/attribute":
      entities[last].properties.append(.attribute(element))
    case "model/entity/relationship":
      entities[last].properties.append(.relationship(element))
    case "model/entity/fetchedProperty":
      entities[last].fetchedProperties.append(.init(element: element))
    case "model/entity/fetchedProperty/fetchRequest":
      let property = entities[last].fetchedProperties.count - 1
      entities[last].fetchedProperties[property].request = element
    case "model/entity/fetchIndex":
      entities[last].indexes.append(.init(element: element))
    case "model/entity/fetchIndex/fetchIndexElement":
      let index = entities[last].indexes.count - 1
      entities[last].indexes[index].parts.append(element)
    case "model/fetchRequest":
      requests.append(element)
    case "model/entity/uniquenessConstraints/uniquenessConstraint":
      entities[last].uniquenessConstraints.append([])
    case "model/entity/uniquenessConstraints/uniquenessConstraint/constraint":
      let constraint = entities[last].uniquenessConstraints.count - 1
      entities[last].uniquenessConstraints[constraint].append(element)
    case "model/entity/userInfo/entry":
      entities[last].element.userInfo[element["key"] ?? ""] = element["value"] ?? ""
    case "model/entity/attribute/userInfo/entry", "model/entity/relationship/userInfo/entry":
      guard let property = entities[last].properties.popLast() else { return }
      entities[last].properties.append(
        property.noting(element["key"] ?? "", element["value"] ?? ""))
    case "model/configuration":
      configurations.append(.init(name: element["name"] ?? ""))
    case "model/configuration/memberEntity":
      configurations[configurations.count - 1].entities.append(element["name"] ?? "")
    default:
      guard openElements.count > 1 else {
        failure = element.error(
          "the outermost element is \(quoted(path)), not a model as Xcode writes it; "
            + "it should be 'model'")
        return
      }
      if openElements.last == "entity" {
        failure = element.error(
          "an entity inside of an element other than 'model'; close that element first")
      }
    }
  }

  private func noteWhatIsPassedOver(_ element: ModelElement, called name: String) {
    let entity =
      openElements.prefix(2) == ["model", "entity"] ? entities.last?.element["name"] : nil
    PassedOverParts(element, called: name, in: openElements.dropLast(), of: entity)
      .note(in: &notes)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    _ = openElements.popLast()
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    guard failure == nil else { return }
    failure = InputError(
      file: file, line: max(1, parser.lineNumber),
      message: "not well-formed XML; " + advice(for: (error as NSError).code))
    // Do not abort the parser here, because that crashes libxml2 2.9.
  }

  /// Returns advice for an error code of libxml2. FoundationXML exposes no more than the code.
  private func advice(for code: Int) -> String {
    switch code {
    case 4: "it should begin with '<?xml' or '<model'"
    case 5: "every element should be closed, and nothing follow '</model>'"
    case 9, 81: "it should be UTF-8 without control characters"
    case 23, 26, 68: "'&' and '<' in a text are written '&amp;' and '&lt;'"
    case 38: "'<' in a value is written '&lt;'"
    case 39, 40: "every value should be in quotation marks"
    case 41, 65: "an element should read '<name key=\"value\">'"
    case 42: "an element should name each of its attributes once"
    case 73: "a tag should end with '>'"
    case 76: "an end tag should name the element that was opened last"
    default: "libxml2 calls this error \(code)"
    }
  }
}
