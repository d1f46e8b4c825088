/// What a user has to know besides a model: which version it is, and what of its file is passed
/// over.
package struct ModelNotes: Hashable, Sendable {
  /// Which of the versions in an .xcdatamodeld the model is.
  package struct Version: Hashable, Sendable {
    /// The name of its directory.
    package let name: String
    /// How many versions the bundle has.
    package let count: Int
  }

  /// Something that models state and that is not simulated, or not as it is stated.
  package struct PassedOver: Hashable, Sendable {
    package let kind: Kind
    /// What it is called, in the order of the file: `Person.friends` where an entity has it.
    package internal(set) var names: [String]

    /// `2 fetched properties (Person.friends, Person.foes)`
    package var text: String {
      let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
      return "\(names.count) \(names.count == 1 ? kind.singular : kind.rawValue) (\(shown))"
    }
  }

  /// Nil if the model is not from a bundle.
  package internal(set) var version: Version?
  /// Each kind once, in the order of `Kind`.
  package private(set) var passedOver: [PassedOver] = []

  package init() {}

  /// What a report says of them in a sentence; nil if there is nothing to say.
  package var text: String? {
    var parts: [String] = []
    if let version, version.count > 1 {
      parts.append("\(version.name), the current one of \(version.count) versions")
    }
    let omitted = passedOver.filter { $0.kind.substitute == nil }
    if !omitted.isEmpty {
      parts.append("passed over: " + omitted.map(\.text).joined(separator: ", "))
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
  /// A kind of thing that is passed over, by its name for several of them.
  package enum Kind: String, CaseIterable, Sendable {
    case fetchedProperty = "fetched properties"
    case fetchRequestTemplate = "fetch request templates"
    case index = "indexes"
    case configuration = "configurations"
    /// Each object has all attributes of it as one value.
    case composite = "composite attributes"
    /// Programs set it like any other.
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
    /// What no Xcode that we know of writes.
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

    /// In which other form it is simulated; nil if it is left out.
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
