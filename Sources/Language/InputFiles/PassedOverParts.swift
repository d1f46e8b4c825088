import Prose

/// The parts of an element of a model's XML that are not simulated.
///
/// Parts that change the behaviour of an app, such as the predicate of a fetched property, are
/// noted for reports. Other parts have no effect on contexts and are not noted. Examples are user
/// info, class names, value transformers, identifiers for migrations, and positions in the editor.
struct PassedOverParts {
  private let element: ModelElement
  private let name: String
  private let ancestors: ArraySlice<String>
  private let entity: String?

  /// Creates the description of an element.
  ///
  /// - Parameters:
  ///   - ancestors: The names of the enclosing elements.
  ///   - entity: The name of the enclosing entity, if any.
  init(
    _ element: ModelElement, called name: String, in ancestors: ArraySlice<String>,
    of entity: String?
  ) {
    self.element = element
    self.name = name
    self.ancestors = ancestors
    self.entity = entity
  }

  func note(in notes: inout ModelNotes) {
    // The enclosing element was noted as a whole.
    if ancestors.contains(where: PassedOverParts.containers.contains) { return }
    if !PassedOverParts.elements.contains(name) {
      notes.passOver(.unknown, "element \(shown(name))")
      return
    }
    switch name {
    case "fetchedProperty": notes.passOver(.fetchedProperty, path)
    case "fetchRequest": notes.passOver(.fetchRequestTemplate, own)
    case "fetchIndex": notes.passOver(.index, path)
    case "compoundIndex": notes.passOver(.index, shown(entity ?? ""))
    case "configuration": notes.passOver(.configuration, own)
    case "attribute", "relationship", "entity": noteSettings(in: &notes)
    default: break
    }
  }

  private func noteSettings(in notes: inout ModelNotes) {
    let keys = element.attributes.keys.sorted()
    for key in keys where !PassedOverParts.understood.contains(key) {
      guard let (_, kind) = PassedOverParts.settings.first(where: { $0.key == key }) else {
        notes.passOver(.unknown, "\(shown(key)) of \(path)")
        continue
      }
      if let text = element[key], !text.isEmpty, text != "NO" { notes.passOver(kind, path) }
    }
    if element["attributeType"] == "Composite" { notes.passOver(.composite, path) }
  }

  private var own: String { shown(element["name"] ?? "") }
  private var path: String {
    name == "entity" ? own : shown(entity ?? "") + "." + own
  }

  /// Returns a short form of the text on one line.
  private func shown(_ text: String) -> String {
    text.isEmpty ? "without a name" : printable(String(text.unicodeScalars.prefix(60)))
  }

  // MARK: What Xcode writes

  /// Elements that are noted together with their contents. A fetched property, for example,
  /// contains a fetch request.
  private static let containers = [
    "fetchedProperty", "fetchIndex", "compoundIndex", "configuration", "composite", "userInfo",
    "elements",
  ]

  private static let elements = [
    "model", "entity", "attribute", "relationship", "fetchedProperty", "fetchRequest", "fetchIndex",
    "compoundIndexes", "compoundIndex", "uniquenessConstraints", "uniquenessConstraint",
    "constraint", "configuration", "composite", "userInfo", "elements",
  ]

  /// XML attributes that are read, or that have no effect on contexts.
  private static let understood = [
    "name", "optional", "transient", "attributeType", "defaultValueString", "minValueString",
    "maxValueString", "defaultDateTimeInterval", "minDateTimeInterval", "maxDateTimeInterval",
    "toMany", "ordered", "minCount", "maxCount", "deletionRule", "destinationEntity",
    "inverseName", "inverseEntity", "parentEntity", "isAbstract",
    "composite", "derived", "representedClassName", "managedObjectClassName", "codeGenerationType",
    "customClassName", "valueTransformerName", "usesScalarValueType", "syncable", "elementID",
    "renamingIdentifier", "versionHashModifier", "userDefinedModelVersionIdentifier",
    "storedInTruthFile",
  ]

  private static let settings: [(key: String, kind: ModelNotes.Kind)] = [
    ("derivationExpression", .derivation), ("regularExpressionString", .regularExpression),
    ("indexed", .index), ("allowsExternalBinaryDataStorage", .externalStorage),
    ("indexedBySpotlight", .spotlight), ("spotlightIndexingEnabled", .spotlight),
    ("coreSpotlightDisplayNameExpression", .spotlight), ("preserveAfterDeletion", .tombstone),
    ("preservesValueInHistoryOnDeletion", .tombstone), ("allowsCloudEncryption", .encryption),
  ]
}
