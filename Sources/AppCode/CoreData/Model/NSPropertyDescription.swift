public import Foundation
import ObjectModel

/// A property of an entity, such as an attribute or a relationship.
open class NSPropertyDescription: NSObject, @unchecked Sendable {
  /// The name of the property, which is also its key in key-value coding.
  open var name = ""
  /// A Boolean value that indicates whether a save accepts nil, or a relationship without
  /// destinations.
  open var isOptional = true
  /// A Boolean value that indicates whether the property is kept in memory only.
  open var isTransient = false
  /// Information that the app keeps with the property.
  open var userInfo: [AnyHashable: Any]? = [:]
  /// The entity that declares the property.
  open internal(set) weak var entity: NSEntityDescription!
  /// The name by which a migration finds the property in the earlier version. By default, it is the
  /// property's name.
  open var renamingIdentifier: String? {
    get { ownRenamingIdentifier ?? name }
    set { ownRenamingIdentifier = newValue }
  }
  var ownRenamingIdentifier: String?
  /// A text that changes the version hash when nothing else about the property changes.
  open var versionHashModifier: String?
  /// Has no effect, because an index only makes fetches faster.
  open var isIndexed = false
  /// Has no effect, because Spotlight is not simulated.
  open var isIndexedBySpotlight = false
  /// A hash that changes with the form in which a store keeps the property.
  open var versionHash: Data { VersionHash.of(versionText) }

  /// Creates a property without a name.
  public override init() {}

  /// The text from which the version hash is computed.
  var versionText: String {
    "\(name) \(isOptional) \(isTransient) \(versionHashModifier ?? "")"
  }
}

/// The type of an attribute.
public enum NSAttributeType: UInt, Sendable {
  /// No type, which only transient attributes may have. Such attributes are not simulated.
  case undefinedAttributeType = 0
  /// `Int16`.
  case integer16AttributeType = 100
  /// `Int32`.
  case integer32AttributeType = 200
  /// `Int64`.
  case integer64AttributeType = 300
  /// `NSDecimalNumber`, rounded to 18 digits.
  case decimalAttributeType = 400
  /// `Double`.
  case doubleAttributeType = 500
  /// `Float`.
  case floatAttributeType = 600
  /// `String`.
  case stringAttributeType = 700
  /// `Bool`.
  case booleanAttributeType = 800
  /// `Date`.
  case dateAttributeType = 900
  /// `Data`.
  case binaryDataAttributeType = 1000
  /// `UUID`.
  case UUIDAttributeType = 1100
  /// `URL`.
  case URIAttributeType = 1200
  /// Any value, which is kept as it is.
  case transformableAttributeType = 1800
  /// `NSManagedObjectID`, which is not simulated.
  case objectIDAttributeType = 2000
  /// The dictionary of an `NSCompositeAttributeDescription`.
  case compositeAttributeType = 2100

  var type: AttributeType? {
    switch self {
    case .integer16AttributeType: .integer16
    case .integer32AttributeType: .integer32
    case .integer64AttributeType: .integer64
    case .decimalAttributeType: .decimal
    case .doubleAttributeType: .double
    case .floatAttributeType: .float
    case .stringAttributeType: .string
    case .booleanAttributeType: .boolean
    case .dateAttributeType: .date
    case .binaryDataAttributeType: .binaryData
    case .UUIDAttributeType: .uuid
    case .URIAttributeType: .uri
    case .transformableAttributeType, .compositeAttributeType: .transformable
    case .undefinedAttributeType, .objectIDAttributeType: nil
    }
  }

  /// The name of the values' class, or nil if values of any class are accepted.
  var valueClassName: String? {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .doubleAttributeType, .floatAttributeType, .booleanAttributeType:
      "NSNumber"
    case .decimalAttributeType: "NSDecimalNumber"
    case .stringAttributeType: "NSString"
    case .dateAttributeType: "NSDate"
    case .binaryDataAttributeType: "NSData"
    case .UUIDAttributeType: "NSUUID"
    case .URIAttributeType: "NSURL"
    case .compositeAttributeType: "NSDictionary"
    case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType: nil
    }
  }

  init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16: .integer16AttributeType
      case .integer32: .integer32AttributeType
      case .integer64: .integer64AttributeType
      case .decimal: .decimalAttributeType
      case .double: .doubleAttributeType
      case .float: .floatAttributeType
      case .string: .stringAttributeType
      case .boolean: .booleanAttributeType
      case .date: .dateAttributeType
      case .binaryData: .binaryDataAttributeType
      case .uuid: .UUIDAttributeType
      case .uri: .URIAttributeType
      case .transformable: .transformableAttributeType
      }
  }
}

/// An attribute of an entity.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  /// The type of the values that the attribute accepts.
  open var attributeType = NSAttributeType.undefinedAttributeType
  /// The value of the attribute in a new object.
  open var defaultValue: Any?
  /// The name of the transformer that stores a transformable value. The simulation keeps values
  /// untransformed.
  open var valueTransformerName: String?
  /// The class name of the values in key-value coding on Apple's platforms. For a transformable
  /// attribute, it is the name that the app has set.
  open var attributeValueClassName: String? {
    get { declaredValueClassName ?? attributeType.valueClassName }
    set { declaredValueClassName = newValue }
  }
  private(set) var declaredValueClassName: String?
  /// Has no effect, because no file exists.
  open var allowsExternalBinaryDataStorage = false
  /// A Boolean value that indicates whether a deletion keeps the value in the history's tombstone.
  open var preservesValueInHistoryOnDeletion = false
  /// Has no effect, because nothing is synchronized.
  open var allowsCloudEncryption = false
  /// The predicates that the attribute's values must match. The app sets them, or a model file's
  /// regular expression provides one. Other limits of a model file are not included.
  public internal(set) var validationPredicates: [NSPredicate] = []
  /// The codes or texts of the errors for these predicates, in the same order.
  public internal(set) var validationWarnings: [Any] = []
  /// The attribute as a model file declares it, with its limits.
  var declared: Attribute?

  /// The same type as `attributeType`, under its newer name.
  open var type: AttributeType {
    get { AttributeType(rawValue: attributeType) }
    set { attributeType = newValue.rawValue }
  }

  override var versionText: String { "\(super.versionText) \(attributeType.rawValue)" }
}

extension NSAttributeDescription {
  /// The type of an attribute.
  public struct AttributeType: Hashable, Sendable {
    let rawValue: NSAttributeType

    /// No type.
    public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
    /// `Int16`.
    public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
    /// `Int32`.
    public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
    /// `Int64`.
    public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
    /// `NSDecimalNumber`.
    public static let decimal = AttributeType(rawValue: .decimalAttributeType)
    /// `Double`.
    public static let double = AttributeType(rawValue: .doubleAttributeType)
    /// `Float`.
    public static let float = AttributeType(rawValue: .floatAttributeType)
    /// `String`.
    public static let string = AttributeType(rawValue: .stringAttributeType)
    /// `Bool`.
    public static let boolean = AttributeType(rawValue: .booleanAttributeType)
    /// `Date`.
    public static let date = AttributeType(rawValue: .dateAttributeType)
    /// `Data`.
    public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
    /// `UUID`.
    public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
    /// `URL`.
    public static let uri = AttributeType(rawValue: .URIAttributeType)
    /// Any value, which is kept as it is.
    public static let transformable = AttributeType(rawValue: .transformableAttributeType)
    /// `NSManagedObjectID`, which is not simulated.
    public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
    /// A dictionary of elements.
    public static let composite = AttributeType(rawValue: .compositeAttributeType)
  }
}

/// The effect of a deletion on the destinations of the deleted object's relationship.
public enum NSDeleteRule: UInt, Sendable {
  /// Leaves the destinations unchanged.
  case noActionDeleteRule = 0
  /// Removes the deleted object from the destinations' inverse relationships.
  case nullifyDeleteRule = 1
  /// Deletes the destinations.
  case cascadeDeleteRule = 2
  /// Makes a save fail while destinations exist.
  case denyDeleteRule = 3

  var rule: DeleteRule {
    switch self {
    case .noActionDeleteRule: .noAction
    case .nullifyDeleteRule: .nullify
    case .cascadeDeleteRule: .cascade
    case .denyDeleteRule: .deny
    }
  }

  init(_ rule: DeleteRule) {
    self =
      switch rule {
      case .noAction: .noActionDeleteRule
      case .nullify: .nullifyDeleteRule
      case .cascade: .cascadeDeleteRule
      case .deny: .denyDeleteRule
      }
  }
}

/// A relationship of an entity.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  /// The entity of the relationship's destinations.
  open weak var destinationEntity: NSEntityDescription?
  /// The relationship in the opposite direction (RL-01).
  open weak var inverseRelationship: NSRelationshipDescription?
  /// The effect of a deletion on the destinations (RL-07).
  open var deleteRule = NSDeleteRule.nullifyDeleteRule
  /// The minimum number of destinations.
  open var minCount = 0
  /// The maximum number of destinations. 1 makes a to-one relationship, and 0 means no limit.
  open var maxCount = 0
  /// A Boolean value that indicates whether a to-many relationship is ordered.
  open var isOrdered = false
  /// The names of a copy's destination and inverse, which are looked up when the copy is added to a
  /// model.
  var names: (destination: String?, inverse: String?)?
  /// A Boolean value that indicates whether more than one destination is possible.
  open var isToMany: Bool { maxCount != 1 }

  override var versionText: String {
    // A copy may have only the name.
    let destination = destinationEntity?.name ?? names?.destination ?? ""
    return "\(super.versionText) \(destination) \(isToMany) \(isOrdered)"
  }
}
