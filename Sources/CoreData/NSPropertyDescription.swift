public import Foundation
import ObjectModel

/// A property of an entity: an attribute or a relationship.
open class NSPropertyDescription: NSObject, @unchecked Sendable {
  /// The name, by which key-value coding finds it.
  open var name = ""
  /// Whether a save accepts nil, or no destination.
  open var isOptional = true
  /// Whether it is kept in memory only.
  open var isTransient = false
  /// What the app notes of it.
  open var userInfo: [AnyHashable: Any]? = [:]
  /// The entity that declares it.
  open internal(set) weak var entity: NSEntityDescription!
  /// The name by which a migration finds it in the version before: its own unless it was set.
  open var renamingIdentifier: String? {
    get { ownRenamingIdentifier ?? name }
    set { ownRenamingIdentifier = newValue }
  }
  var ownRenamingIdentifier: String?
  /// Changes the version hash where nothing else does.
  open var versionHashModifier: String?
  /// Of no effect: an index makes fetches faster.
  open var isIndexed = false
  /// Of no effect: nothing is searched.
  open var isIndexedBySpotlight = false
  /// A number for what a store has of it: another if that changes.
  open var versionHash: Data { VersionHash.of(versionText) }

  /// A property without a name.
  public override init() {}

  /// What its version hash is about.
  var versionText: String {
    "\(name) \(isOptional) \(isTransient) \(versionHashModifier ?? "")"
  }
}

/// The type of an attribute.
public enum NSAttributeType: UInt, Sendable {
  /// None; only transient attributes may have it, and they are not simulated.
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
  /// Any value, kept as it is.
  case transformableAttributeType = 1800
  /// `NSManagedObjectID`; not simulated.
  case objectIDAttributeType = 2000
  /// A dictionary, of an `NSCompositeAttributeDescription`.
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

  /// The class of the values; nil of those that may have any.
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
  /// Decides which values it takes.
  open var attributeType = NSAttributeType.undefinedAttributeType
  /// What a new object has; nil for nil.
  open var defaultValue: Any?
  /// The transformer that stores a transformable value. Values are kept as they are here.
  open var valueTransformerName: String?
  /// The name of the class of the values, as key-value coding has them on Apple's platforms; of a
  /// transformable attribute, what was set.
  open var attributeValueClassName: String? {
    get { declaredValueClassName ?? attributeType.valueClassName }
    set { declaredValueClassName = newValue }
  }
  private(set) var declaredValueClassName: String?
  /// Kept, and of no effect: there is no file.
  open var allowsExternalBinaryDataStorage = false
  /// Kept, and of no effect: the history keeps no values.
  open var preservesValueInHistoryOnDeletion = false
  /// Kept, and of no effect: nothing is synchronised.
  open var allowsCloudEncryption = false
  /// What its values must be: what was set, or the regular expression of a model file, whose limits
  /// are not here.
  public internal(set) var validationPredicates: [NSPredicate] = []
  /// The codes or texts of the errors otherwise, in the same order.
  public internal(set) var validationWarnings: [Any] = []
  /// What a model file says of its limits.
  var declared: Attribute?

  /// The same as `attributeType`, under newer names.
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

    /// None.
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
    /// Any value.
    public static let transformable = AttributeType(rawValue: .transformableAttributeType)
    /// `NSManagedObjectID`; not simulated.
    public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
    /// A dictionary.
    public static let composite = AttributeType(rawValue: .compositeAttributeType)
  }
}

/// What becomes of the destinations of an object that is deleted.
public enum NSDeleteRule: UInt, Sendable {
  /// Nothing.
  case noActionDeleteRule = 0
  /// They lose the object.
  case nullifyDeleteRule = 1
  /// They are deleted, too.
  case cascadeDeleteRule = 2
  /// While there are any, a save fails.
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
  /// The entity of the objects that it leads to.
  open weak var destinationEntity: NSEntityDescription?
  /// The relationship that leads back (RL-01).
  open weak var inverseRelationship: NSRelationshipDescription?
  /// What a delete does to the destinations (RL-07).
  open var deleteRule = NSDeleteRule.nullifyDeleteRule
  /// The least number of destinations.
  open var minCount = 0
  /// The greatest number of destinations: 1 is a to-one relationship, 0 no limit.
  open var maxCount = 0
  /// Whether a to-many relationship keeps an order.
  open var isOrdered = false
  /// Of a copy, the names of the destination and of the inverse, which are found where it is added.
  var names: (destination: String?, inverse: String?)?
  /// Whether there may be more than one destination.
  open var isToMany: Bool { maxCount != 1 }

  override var versionText: String {
    // A copy may have the name alone.
    let destination = destinationEntity?.name ?? names?.destination ?? ""
    return "\(super.versionText) \(destination) \(isToMany) \(isOrdered)"
  }
}
