import Prose

/// What an element of a model's XML states that has no part in a simulation.
///
/// Some of it changes what an app sees, such as the predicate of a fetched property, and is said in
/// reports. The rest has no effect on contexts and is not worth a word: user info, names of classes
/// and of value transformers, identifiers for migrations, and positions in the editor.
struct PassedOverParts {
  private let element: ModelElement
  private let name: String
  private let ancestors: ArraySlice<String>
  private let entity: String?

  /// `ancestors` are the names of the elements around it, `entity` the name of the entity among
  /// them.
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
    // Below what is passed over as a whole.
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

  /// Short, and on one line.
  private func shown(_ text: String) -> String {
    text.isEmpty ? "without a name" : printable(String(text.unicodeScalars.prefix(60)))
  }

  // MARK: What Xcode writes

  /// Elements with what is in them: the XML of a fetched property has a fetch request.
  private static let containers = [
    "fetchedProperty", "fetchIndex", "compoundIndex", "configuration", "composite", "userInfo",
    "elements",
  ]

  private static let elements = [
    "model", "entity", "attribute", "relationship", "fetchedProperty", "fetchRequest", "fetchIndex",
    "compoundIndexes", "compoundIndex", "uniquenessConstraints", "uniquenessConstraint",
    "constraint", "configuration", "composite", "userInfo", "elements",
  ]

  /// XML attributes that are read, or have no effect on contexts.
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
