import InputFiles

/// Generates the classes of a model's entities, as Xcode does. For the `codeGenerationType`
/// "class", generates the class and its properties. For "category", generates the properties of an
/// app-defined class.
struct GeneratedClasses {
  let model: ModelClasses
  /// The access level of an import that no public class of this source needs.
  let access: String

  /// Returns a Swift source, or `nil` if the model requests no classes.
  func source() -> String? {
    let parts = model.entities.flatMap { entity -> [String] in
      switch entity.generation {
      case .none: []
      case .wholeClass: [declaration(of: entity), properties(of: entity)]
      case .category: [properties(of: entity)]
      }
    }
    guard !parts.isEmpty else { return nil }
    let imports = [
      ("CoreData", model.entities.filter { $0.generation != .none }),
      ("Foundation", model.entities.filter { $0.generation != .none && usesFoundation($0) }),
    ].filter { !$0.1.isEmpty }.map { module, users in
      // An app-defined class need not be public.
      let isPublic = users.contains { $0.generation == .wholeClass }
      return "\(isPublic ? "public " : access)import \(module)\n"
    }
    return ([imports.joined()] + parts).joined(separator: "\n")
  }

  /// Returns a Boolean value that indicates whether the type of a property comes from Foundation.
  private func usesFoundation(_ entity: ModelClasses.Entity) -> Bool {
    entity.properties.contains { property in
      switch property.kind {
      case .relationship(_, let isToMany, _): isToMany
      case .attribute:
        !["String?", "Int16", "Int32", "Int64", "Double", "Float", "Bool"]
          .contains(type(of: property))
      }
    }
  }

  private func className(of entity: String) -> String {
    guard let declared = model.entities.first(where: { $0.name == entity }) else { return entity }
    return String(declared.className.split(separator: ".").last ?? "NSManagedObject")
  }

  private func declaration(of entity: ModelClasses.Entity) -> String {
    let parent = entity.parent.map { className(of: $0) } ?? "NSManagedObject"
    return "public class \(className(of: entity.name)): \(parent) {}\n"
  }

  private func properties(of entity: ModelClasses.Entity) -> String {
    let name = className(of: entity.name)
    var lines = [
      "extension \(name) {",
      "  public class func fetchRequest() -> NSFetchRequest<\(name)> {",
      "    NSFetchRequest<\(name)>(entityName: \"\(entity.name)\")",
      "  }",
      "",
    ]
    for property in entity.properties {
      lines += [
        "  public var \(escaped(property.name)): \(type(of: property)) {",
        "    get { managed(\"\(property.name)\") }",
        "    set { setManaged(\"\(property.name)\", newValue) }",
        "  }",
      ]
    }
    for property in entity.properties { lines += accessors(of: property) }
    lines += ["}", ""]
    if entity.parent == nil { lines += ["extension \(name): Identifiable {}", ""] }
    return lines.joined(separator: "\n")
  }

  private func escaped(_ name: String) -> String {
    ["default", "class", "in", "is", "as", "operator", "protocol", "repeat", "where", "self"]
      .contains(name) ? "`\(name)`" : name
  }

  private func type(of property: ModelClasses.Property) -> String {
    switch property.kind {
    case .relationship(_, true, let isOrdered): return isOrdered ? "NSOrderedSet?" : "NSSet?"
    case .relationship(let destination, false, _): return className(of: destination) + "?"
    case .attribute(let type, let isScalar, let valueClass):
      let (scalar, object) = GeneratedClasses.types[type] ?? (nil, valueClass ?? "NSObject")
      if isScalar, let scalar { return scalar }
      return object + "?"
    }
  }

  /// The scalar type, if one exists, and the object type.
  private static let types: [String: (scalar: String?, object: String)] = [
    "Integer 16": ("Int16", "NSNumber"), "Integer 32": ("Int32", "NSNumber"),
    "Integer 64": ("Int64", "NSNumber"), "Double": ("Double", "NSNumber"),
    "Float": ("Float", "NSNumber"), "Boolean": ("Bool", "NSNumber"),
    "Decimal": (nil, "NSDecimalNumber"), "String": (nil, "String"), "Date": (nil, "Date"),
    "Binary": (nil, "Data"), "UUID": (nil, "UUID"), "URI": (nil, "URL"),
    "Composite": (nil, "[String: Any]"),
  ]

  private func accessors(of property: ModelClasses.Property) -> [String] {
    guard case .relationship(let destination, true, let isOrdered) = property.kind else {
      return []
    }
    let key = property.name
    let stem = key.prefix(1).uppercased() + key.dropFirst()
    let element = className(of: destination)
    let set = isOrdered ? "NSOrderedSet" : "NSSet"
    var functions: [(signature: String, body: String)] = []
    if isOrdered {
      functions += [
        (
          "insertInto\(stem)(_ value: \(element), at idx: Int)",
          "insertManaged(\"\(key)\", value, idx)"
        ),
        ("removeFrom\(stem)(at idx: Int)", "removeManaged(\"\(key)\", at: idx)"),
        (
          "replace\(stem)(at idx: Int, with value: \(element))",
          "replaceManaged(\"\(key)\", idx, value)"
        ),
      ]
    }
    for type in [element, set] {
      let name = type == element ? "value" : "values"
      functions += [
        ("addTo\(stem)(_ \(name): \(type))", "addManaged(\"\(key)\", \(name))"),
        ("removeFrom\(stem)(_ \(name): \(type))", "removeManaged(\"\(key)\", \(name))"),
      ]
    }
    // On a Mac, a set parameter accepts an array literal.
    functions += ["addTo", "removeFrom"].map { verb in
      (
        "\(verb)\(stem)(_ values: [\(element)])", "\(verb)\(stem)(\(set)(array: values))"
      )
    }
    return functions.flatMap { ["", "  public func \($0.signature) {", "    \($0.body)", "  }"] }
  }
}
