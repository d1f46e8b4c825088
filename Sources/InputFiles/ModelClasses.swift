/// What a model of Xcode's says of the app's classes, of its configurations and requests. Engine
/// and reference model do without; an app's own code does not.
package struct ModelClasses: Sendable {
  /// What Xcode makes for an entity.
  package enum Generation: Sendable {
    /// Nothing: the app has the class.
    case none
    /// The class with its properties.
    case wholeClass
    /// The properties, as an extension of the app's class.
    case category
  }

  /// What a migration, and the app itself, know of an entity or a property.
  package struct Notes: Sendable {
    /// The name by which a migration finds it in the version before.
    package let renamingIdentifier: String?
    package let versionHashModifier: String?
    package let userInfo: [String: String]
  }

  package struct Entity: Sendable {
    package let name: String
    /// As the model names it: `Note`, `.Note` for one of the app's module, or `Module.Note`.
    package let className: String
    package let generation: Generation
    package let isAbstract: Bool
    package let parent: String?
    package let notes: Notes
    /// Its own, in the order of the file.
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

  /// A property that a request answers.
  package struct FetchedProperty: Sendable {
    package let name: String
    package let request: Request?
    package let notes: Notes
  }

  /// A request that the model has by name, or that of a fetched property.
  package struct Request: Sendable {
    package let name: String
    package let entity: String
    package let predicate: String?
    package let fetchLimit: Int
    package let fetchBatchSize: Int
    /// As Core Data numbers the types of results.
    package let resultType: UInt
    package let includesSubentities: Bool
    package let includesPropertyValues: Bool
    package let includesPendingChanges: Bool
    package let returnsObjectsAsFaults: Bool
    package let returnsDistinctResults: Bool
  }

  package struct Property: Sendable {
    package enum Kind: Sendable {
      /// `type` as the file has it: `Integer 64`.
      case attribute(type: String, isScalar: Bool, valueClass: String?)
      case relationship(destination: String, isToMany: Bool, isOrdered: Bool)
    }

    package let name: String
    package let isOptional: Bool
    package let kind: Kind
    package let notes: Notes
    package let settings: Settings
  }

  /// What is said of an attribute besides its type and its limits.
  package struct Settings: Sendable {
    /// How a save computes it, as `canonical:(title)`; nil if programs set it.
    package let derivation: String?
    package let valueTransformer: String?
    /// The regular expression that its text must match.
    package let pattern: String?
    package let allowsExternalStorage: Bool
    package let preservesValueInHistory: Bool
    package let allowsCloudEncryption: Bool
    /// Whether its values are dictionaries.
    package let isComposite: Bool
  }

  package let entities: [Entity]
  /// By name: the names of the entities.
  package let configurations: [(name: String, entities: [String])]
  /// Those that the model has by name.
  package let requests: [Request]
  /// The name of the model's version; nil if it states none.
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
