/// The classes, configurations and fetch requests that an Xcode model declares.
///
/// The engine and the reference model do not need them, but the app's code does.
package struct ModelClasses: Sendable {
  /// The code that Xcode generates for an entity.
  package enum Generation: Sendable {
    /// No code, because the app defines the class.
    case none
    /// The class with its properties.
    case wholeClass
    /// The properties, in an extension of the class that the app defines.
    case category
  }

  /// Metadata of an entity or a property, for migrations and for the app.
  package struct Notes: Sendable {
    /// The name by which a migration finds the entity or property in the previous version.
    package let renamingIdentifier: String?
    package let versionHashModifier: String?
    package let userInfo: [String: String]
  }

  package struct Entity: Sendable {
    package let name: String
    /// The class name in the model: `Note`, `.Note` for a class in the app's module, or
    /// `Module.Note`.
    package let className: String
    package let generation: Generation
    package let isAbstract: Bool
    package let parent: String?
    package let notes: Notes
    /// The properties that the entity declares itself, in the order of the file.
    package let properties: [Property]
    package let fetchedProperties: [FetchedProperty]
    package let indexes: [FetchIndex]
  }

  /// An index by which a store finds rows.
  package struct FetchIndex: Sendable {
    package struct Element: Sendable {
      package let property: String
      package let isBinary: Bool
      package let isAscending: Bool
    }

    package let name: String
    package let elements: [Element]
  }

  /// A property whose value is the result of a fetch request.
  package struct FetchedProperty: Sendable {
    package let name: String
    package let request: Request?
    package let notes: Notes
  }

  /// A named fetch request of the model, or the request of a fetched property.
  package struct Request: Sendable {
    package let name: String
    package let entity: String
    package let predicate: String?
    package let fetchLimit: Int
    package let fetchBatchSize: Int
    /// The raw value of the `NSFetchRequestResultType`.
    package let resultType: UInt
    package let includesSubentities: Bool
    package let includesPropertyValues: Bool
    package let includesPendingChanges: Bool
    package let returnsObjectsAsFaults: Bool
    package let returnsDistinctResults: Bool
  }

  package struct Property: Sendable {
    package enum Kind: Sendable {
      /// An attribute. `type` is the text in the file, such as `Integer 64`.
      case attribute(type: String, isScalar: Bool, valueClass: String?)
      case relationship(destination: String, isToMany: Bool, isOrdered: Bool)
    }

    package let name: String
    package let isOptional: Bool
    package let kind: Kind
    package let notes: Notes
    package let settings: Settings
  }

  /// Settings of an attribute other than its type and its limits.
  package struct Settings: Sendable {
    /// The expression by which a save computes the attribute, such as `canonical:(title)`. `nil` if
    /// the attribute is not derived.
    package let derivation: String?
    package let valueTransformer: String?
    /// The regular expression that a text value must match.
    package let pattern: String?
    package let allowsExternalStorage: Bool
    package let preservesValueInHistory: Bool
    package let allowsCloudEncryption: Bool
    /// A Boolean value that indicates whether values are dictionaries.
    package let isComposite: Bool
  }

  package let entities: [Entity]
  /// The names of configurations, each with the names of its entities.
  package let configurations: [(name: String, entities: [String])]
  /// The named fetch requests of the model.
  package let requests: [Request]
  /// The name of the model's version, if the model states one.
  package let versionIdentifier: String?

  init(_ document: ModelDocument) {
    entities = document.entities.map { Entity($0) }
    configurations = document.configurations.map { ($0.name, $0.entities) }
    requests = document.requests.map { Request($0) }
    versionIdentifier = document.versionIdentifier
  }
}

extension ModelClasses.Notes {
  fileprivate init(_ element: ModelElement) {
    renamingIdentifier = element["elementID"] ?? element["renamingIdentifier"]
    versionHashModifier = element["versionHashModifier"]
    userInfo = element.userInfo
  }
}

extension ModelClasses.FetchIndex {
  fileprivate init(_ declaration: ModelDocument.FetchIndex) {
    name = declaration.element["name"] ?? ""
    elements = declaration.parts.compactMap { part in
      part["property"].map { property in
        Element(
          property: property, isBinary: part["type"] != "RTree",
          isAscending: part["order"] != "descending")
      }
    }
  }
}

extension ModelClasses.Request {
  fileprivate init(_ element: ModelElement) {
    name = element["name"] ?? ""
    entity = element["entity"] ?? ""
    predicate = element["predicateString"].flatMap { $0.isEmpty ? nil : $0 }
    fetchLimit = element["fetchLimit"].flatMap { Int($0) } ?? 0
    fetchBatchSize = element["fetchBatchSize"].flatMap { Int($0) } ?? 0
    resultType = element["resultType"].flatMap { UInt($0) } ?? 0
    includesSubentities = element["includeSubentities"] != "NO"
    includesPropertyValues = element["includePropertyValues"] != "NO"
    includesPendingChanges = element["includePendingChanges"] != "NO"
    returnsObjectsAsFaults = element["returnObjectsAsFaults"] != "NO"
    returnsDistinctResults = element["returnDistinctResults"] == "YES"
  }
}

extension ModelClasses.Settings {
  fileprivate init(_ element: ModelElement) {
    derivation = element["derived"] == "YES" ? element["derivationExpression"] : nil
    valueTransformer = element["valueTransformerName"]
    pattern = element["regularExpressionString"]
    allowsExternalStorage = element["allowsExternalBinaryDataStorage"] == "YES"
    preservesValueInHistory =
      ["preserveAfterDeletion", "preservesValueInHistoryOnDeletion"].contains {
        element[$0] == "YES"
      }
    allowsCloudEncryption = element["allowsCloudEncryption"] == "YES"
    isComposite = element["attributeType"] == "Composite"
  }
}

extension ModelClasses.Entity {
  fileprivate init(_ declaration: ModelDocument.EntityDeclaration) {
    let element = declaration.element
    name = element["name"] ?? ""
    className = element["representedClassName"] ?? "NSManagedObject"
    generation =
      switch element["codeGenerationType"] {
      case "class": .wholeClass
      case "category": .category
      default: .none
      }
    isAbstract = element["isAbstract"] == "YES"
    parent = element["parentEntity"]
    notes = ModelClasses.Notes(element)
    properties = declaration.properties.map { ModelClasses.Property($0) }
    fetchedProperties = declaration.fetchedProperties.map { property in
      ModelClasses.FetchedProperty(
        name: property.element["name"] ?? "",
        request: property.request.map { ModelClasses.Request($0) },
        notes: ModelClasses.Notes(property.element))
    }
    indexes = declaration.indexes.map { ModelClasses.FetchIndex($0) }
  }
}

extension ModelClasses.Property {
  fileprivate init(_ declaration: ModelDocument.PropertyDeclaration) {
    notes = ModelClasses.Notes(declaration.element)
    settings = ModelClasses.Settings(declaration.element)
    switch declaration {
    case .attribute(let element):
      name = element["name"] ?? ""
      isOptional = element["optional"] == "YES"
      kind = .attribute(
        type: element["attributeType"] ?? "", isScalar: element["usesScalarValueType"] == "YES",
        valueClass: element["customClassName"])
    case .relationship(let element):
      name = element["name"] ?? ""
      isOptional = element["optional"] == "YES"
      kind = .relationship(
        destination: element["destinationEntity"] ?? "NSManagedObject",
        isToMany: element["toMany"] == "YES", isOrdered: element["ordered"] == "YES")
    }
  }
}
