/// Notes for the user about a model: its version, and the parts of its file that are ignored.
package struct ModelNotes: Hashable, Sendable {
  /// A version in an `.xcdatamodeld` bundle.
  package struct Version: Hashable, Sendable {
    /// The name of its directory.
    package let name: String
    /// The number of versions in the bundle.
    package let count: Int
  }

  /// Parts of a model of one kind that are not simulated, or not exactly as declared.
  package struct PassedOver: Hashable, Sendable {
    package let kind: Kind
    /// The names of the parts, in the order of the file. A part of an entity has a name such as
    /// `Person.friends`.
    package internal(set) var names: [String]

    /// The number and the names of the parts, such as `2 fetched properties (Person.friends, …)`.
    package var text: String {
      let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
      return "\(names.count) \(names.count == 1 ? kind.singular : kind.rawValue) (\(shown))"
    }
  }

  /// The version of the model, or `nil` if the model is not from a bundle.
  package internal(set) var version: Version?
  /// The ignored parts, with one element for each kind, in the order of `Kind`.
  package private(set) var passedOver: [PassedOver] = []

  package init() {}

  /// The notes as a sentence for reports, or `nil` without notes.
  package var text: String? {
    var parts: [String] = []
    if let version, version.count > 1 {
      parts.append("\(version.name), the current of \(version.count) versions")
    }
    let omitted = passedOver.filter { $0.kind.substitute == nil }
    if !omitted.isEmpty {
      parts.append("ignored: " + omitted.map(\.text).joined(separator: ", "))
    }
    for part in passedOver {
      if let substitute = part.kind.substitute {
        parts.append("simulated \(substitute): \(part.text)")
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  mutating func passOver(_ kind: Kind, _ name: String) {
    if let index = passedOver.firstIndex(where: { $0.kind == kind }) {
      passedOver[index].names.append(name)
    } else {
      let next = passedOver.firstIndex { kind.rank < $0.kind.rank } ?? passedOver.endIndex
      passedOver.insert(PassedOver(kind: kind, names: [name]), at: next)
    }
  }
}

extension ModelNotes {
  /// A kind of ignored part. The raw value is the plural of its name.
  package enum Kind: String, CaseIterable, Sendable {
    case fetchedProperty = "fetched properties"
    case fetchRequestTemplate = "fetch request templates"
    case index = "indexes"
    case configuration = "configurations"
    /// Simulated as a single value that contains all attributes.
    case composite = "composite attributes"
    /// Ignored, so programs set a derived attribute like any other.
    case derivation = "derivation expressions"
    case regularExpression = "regular expressions"
    case transientRelationship = "transient relationships"
    case transientInverse = "relationships with a transient inverse"
    case untypedAttribute = "transient attributes without a type"
    case uuidDefault = "defaults that are no UUIDs"
    case fractionOfSecond = "fractions of a second"
    case externalStorage = "external storages"
    case spotlight = "Spotlight settings"
    case tombstone = "values preserved after deletion"
    case encryption = "cloud encryptions"
    /// Parts that no known version of Xcode writes.
    case unknown = "unknown parts"

    var singular: String {
      switch self {
      case .fetchedProperty: "fetched property"
      case .index: "index"
      case .transientInverse: "relationship with a transient inverse"
      case .untypedAttribute: "transient attribute without a type"
      case .uuidDefault: "default that is no UUID"
      case .fractionOfSecond: "fraction of a second"
      case .tombstone: "value preserved after deletion"
      case .fetchRequestTemplate, .configuration, .composite, .derivation, .regularExpression,
        .transientRelationship, .externalStorage, .spotlight, .encryption, .unknown:
        String(rawValue.dropLast())
      }
    }

    /// The form in which parts of this kind are simulated, or `nil` if they are omitted.
    package var substitute: String? {
      switch self {
      case .composite: "as one value"
      case .transientInverse: "without an inverse"
      case .untypedAttribute: "as transformable"
      default: nil
      }
    }

    var rank: Int { Kind.allCases.firstIndex(of: self) ?? 0 }
  }
}
