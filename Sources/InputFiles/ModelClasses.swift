/// What a model of Xcode's says of the app's classes, and of its configurations. Engine and
/// reference model do without; the classes of an app's own code do not.
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
  }

  package let entities: [Entity]
  /// By name: the names of the entities.
  package let configurations: [(name: String, entities: [String])]
  /// The name of the model's version; nil if it states none.
  package let versionIdentifier: String?

  init(_ document: ModelDocument) {
    entities = document.entities.map { Entity($0) }
    configurations = document.configurations.map { ($0.name, $0.entities) }
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
  }
}

extension ModelClasses.Property {
  fileprivate init(_ declaration: ModelDocument.PropertyDeclaration) {
    notes = ModelClasses.Notes(declaration.element)
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
