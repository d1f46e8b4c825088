import CoreData
import Foundation
import LiveCode
import Testing

/// An entity with an attribute of each type, an unordered to-many relationship to parts, and an
/// ordered one to steps.
private enum Records {
  static let types: [String: NSAttributeType] = [
    "int16": .integer16AttributeType, "int32": .integer32AttributeType,
    "int64": .integer64AttributeType, "double": .doubleAttributeType,
    "float": .floatAttributeType, "bool": .booleanAttributeType,
    "decimal": .decimalAttributeType, "string": .stringAttributeType,
    "date": .dateAttributeType, "data": .binaryDataAttributeType, "uuid": .UUIDAttributeType,
    "url": .URIAttributeType, "any": .transformableAttributeType,
  ]

  static func context() -> NSManagedObjectContext {
    let (record, part) = (NSEntityDescription(), NSEntityDescription())
    (record.name, record.managedObjectClassName) = ("Record", "Record")
    (part.name, part.managedObjectClassName) = ("Part", "Part")
    record.properties = types.sorted { $0.key < $1.key }.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType) = (name, type)
      return attribute
    }
    for (name, isOrdered) in [("parts", false), ("steps", true)] {
      let (relationship, inverse) = (NSRelationshipDescription(), NSRelationshipDescription())
      (relationship.name, relationship.destinationEntity) = (name, part)
      relationship.isOrdered = isOrdered
      (inverse.name, inverse.destinationEntity) = ("recordOf" + name.capitalized, record)
      inverse.maxCount = 1
      (relationship.inverseRelationship, inverse.inverseRelationship) = (inverse, relationship)
      record.properties.append(relationship)
      part.properties.append(inverse)
    }
    let model = NSManagedObjectModel()
    model.entities = [record, part]
    let container = NSPersistentContainer(name: "Records", managedObjectModel: model)
    container.loadPersistentStores { _, error in #expect(error == nil) }
    return container.viewContext
  }
}

final class Record: NSManagedObject {
  var parts: Set<Part> {
    get { managed("parts") }
    set { setManaged("parts", newValue) }
  }
  var steps: [Part] { managed("steps") }
}

final class Part: NSManagedObject {
  var recordOfParts: Record? {
    get { managed("recordOfParts") }
    set { setManaged("recordOfParts", newValue) }
  }
  var recordOfSteps: Record? { managed("recordOfSteps") }
}

private enum Size: Int16 { case small, large }
private enum Color: String { case red, green }

/// An assignment of a value, and a check that reading returns the value.
private struct Accessor {
  let key: String
  let set: (Record) -> Void
  let isSet: (Record) -> Bool

  init<Value: Equatable>(_ key: String, _ value: Value) {
    self.key = key
    set = { $0.setManaged(key, value) }
    isSet = { $0.managed(key) == value }
  }

  init<Value: RawRepresentable & Equatable>(_ key: String, case value: Value) {
    self.key = key
    set = { $0.setManaged(key, value) }
    isSet = { $0.managed(key) == value }
  }
}

@Suite struct `An accessor of an attribute` {
  /// Sets each value, and reads it from the context and again from the store.
  private func expect(_ accessors: [Accessor]) {
    var count = 0
    let outcome = live {
      let context = Records.context()
      let record = Record(context: context)
      for accessor in accessors {
        accessor.set(record)
        #expect(accessor.isSet(record), "\(accessor.key) as it was set")
        try context.save()
        context.refresh(record, mergeChanges: false)
        #expect(record.isFault)
        #expect(accessor.isSet(record), "\(accessor.key) from the store")
        count += 1
      }
    }
    #expect(count == accessors.count)
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  private static let (date, data) = (
    Date(timeIntervalSinceReferenceDate: 1_000.25), Data([0, 1, 255])
  )
  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))

  @Test func `an accessor reads and writes values of Swift's types`() throws {
    let url = try #require(URL(string: "https://example.com/a?b=c"))
    expect([
      Accessor("int16", Int16.min), Accessor("int16", Int16.max), Accessor("int32", Int32.min),
      Accessor("int32", Int32.max), Accessor("int64", Int64.min), Accessor("int64", Int64.max),
      Accessor("int64", 7), Accessor("double", -0.1), Accessor("double", Double.infinity),
      Accessor("float", Float(0.1)), Accessor("bool", true), Accessor("bool", false),
      Accessor("decimal", Decimal(12_345) / 1_000), Accessor("decimal", Decimal(-3)),
      Accessor("string", "title"), Accessor("string", ""), Accessor("date", Self.date),
      Accessor("data", Self.data), Accessor("data", Data()), Accessor("uuid", Self.uuid),
      Accessor("url", url), Accessor("any", ["a", "b"]), Accessor("any", ["a": 1]),
    ])
  }

  @Test func `an accessor reads and writes optional values`() throws {
    let url = try #require(URL(string: "https://example.com/a?b=c"))
    expect([
      Accessor("string", String?("title")), Accessor("string", String?.none),
      Accessor("date", Date?(Self.date)), Accessor("date", Date?.none),
      Accessor("data", Data?(Self.data)), Accessor("data", Data?.none),
      Accessor("uuid", UUID?(Self.uuid)), Accessor("uuid", UUID?.none),
      Accessor("url", URL?(url)), Accessor("url", URL?.none),
      Accessor("decimal", Decimal?(2)), Accessor("decimal", Decimal?.none),
      Accessor("any", [String]?(["a"])), Accessor("any", [String]?.none),
      Accessor("int64", NSNumber?(7)), Accessor("int64", NSNumber?.none),
    ])
  }

  @Test func `an accessor reads and writes objects of Foundation's classes`() throws {
    expect([
      Accessor("int16", NSNumber(value: -7)), Accessor("int32", NSNumber(value: 70_000)),
      Accessor("int64", NSNumber(value: 1 << 40)), Accessor("double", NSNumber(value: 0.5)),
      Accessor("float", NSNumber(value: 0.25)), Accessor("bool", NSNumber(value: true)),
      Accessor("decimal", NSDecimalNumber(string: "-12.345")),
      Accessor("string", NSString(string: "title")), Accessor("data", NSData(data: Self.data)),
      Accessor("date", NSDate(timeIntervalSinceReferenceDate: 1_000.25)),
      Accessor("uuid", try #require(NSUUID(uuidString: Self.uuid.uuidString))),
    ])
  }

  @Test func `an accessor reads and writes the cases of an enumeration`() {
    expect([
      Accessor("int16", case: Size.large), Accessor("int16", case: Size.small),
      Accessor("string", case: Color.green),
    ])
    let outcome = live {
      let context = Records.context()
      let record = Record(context: context)
      record.setManaged("int16", Size.large)
      record.setManaged("string", Color.green)
      try context.save()
      #expect(record.value(forKey: "int16") as? Int16 == 1)
      #expect(record.value(forKey: "string") as? String == "green")
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a non-optional accessor returns a zero value for nil`() {
    let outcome = live {
      let context = Records.context()
      let record = Record(context: context)
      try context.save()
      for key in Records.types.keys.sorted() { #expect(record.value(forKey: key) == nil) }
      #expect(record.managed("int16") == Int16(0))
      #expect(record.managed("int32") == Int32(0))
      #expect(record.managed("int64") == Int64(0))
      #expect(record.managed("double") == 0.0)
      #expect(record.managed("float") == Float(0))
      #expect(record.managed("bool") == false)
      #expect(record.managed("decimal") == Decimal(0))
      #expect(record.managed("string") == "")
      #expect(record.managed("int16") == Size.small)
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a primitive accessor does not record a change`() {
    let outcome = live {
      let context = Records.context()
      let record = Record(context: context)
      try context.save()
      record.setManagedPrimitive("string", "unnoted")
      #expect(record.managedPrimitive("string") == "unnoted")
      #expect(!record.hasChanges && !context.hasChanges)
      record.setManaged("string", "noted")
      #expect((record.managedPrimitive("string") as String?) == "noted")
      #expect(record.hasChanges && context.hasChanges)
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }
}

@Suite struct `An accessor of a relationship` {
  /// Calls `body` with a record and four parts that belong to no record yet.
  private func withParts(_ body: @escaping (Record, [Part]) throws -> Void) {
    var isDone = false
    let outcome = live {
      let context = Records.context()
      try body(Record(context: context), (0..<4).map { _ in Part(context: context) })
      try context.save()
      isDone = true
    }
    #expect(isDone)
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `an accessor reads and writes a to-one relationship`() {
    withParts { record, parts in
      #expect(parts[0].recordOfParts == nil)
      parts[0].recordOfParts = record
      #expect(parts[0].recordOfParts === record)
      #expect(record.parts == [parts[0]])
      parts[0].recordOfParts = nil
      #expect(parts[0].recordOfParts == nil)
      #expect(record.parts == [])
    }
  }

  @Test func `an accessor reads and writes sets of Swift and Foundation`() {
    withParts { record, parts in
      record.parts = [parts[0], parts[1]]
      #expect(record.parts == [parts[0], parts[1]])
      #expect((record.managed("parts") as Set<Part>?) == [parts[0], parts[1]])
      #expect(record.managed("parts") == NSSet(array: [parts[1], parts[0]]))
      record.setManaged("parts", NSSet?(NSSet(object: parts[2])))
      #expect(record.parts == [parts[2]])
      record.setManaged("parts", Set<Part>?.none)
      #expect(record.parts == [])
      record.setManaged("steps", NSOrderedSet(array: [parts[2], parts[0], parts[1]]))
      #expect(record.managed("steps") == NSOrderedSet(array: [parts[2], parts[0], parts[1]]))
      #expect(record.steps == [parts[2], parts[0], parts[1]])
      #expect(record.managed("steps") == Set([parts[0], parts[1], parts[2]]))
      record.setManaged("steps", NSOrderedSet?.none)
      #expect(record.steps == [])
    }
  }

  @Test func `accessors add and remove objects and sets of objects`() {
    withParts { record, parts in
      record.addManaged("parts", parts[0])
      record.addManaged("parts", NSSet(array: [parts[1], parts[2]]))
      record.addManaged("parts", Set([parts[2], parts[3]]))
      #expect(record.parts == Set(parts))
      #expect(parts.allSatisfy { $0.recordOfParts === record })
      record.removeManaged("parts", parts[1])
      record.removeManaged("parts", NSSet(array: [parts[0], parts[3]]))
      #expect(record.parts == [parts[2]])
      #expect(parts[0].recordOfParts == nil)
      for part in [parts[3], parts[0], parts[2]] { record.addManaged("steps", part) }
      record.addManaged("steps", NSOrderedSet(array: [parts[1]]))
      #expect(record.steps == [parts[3], parts[0], parts[2], parts[1]])
      record.removeManaged("steps", NSOrderedSet(array: [parts[0], parts[2]]))
      #expect(record.steps == [parts[3], parts[1]])
    }
  }

  @Test func `accessors insert, remove and replace objects at indexes`() {
    withParts { record, parts in
      let (a, b, c, d) = (parts[0], parts[1], parts[2], parts[3])
      record.insertManaged("steps", a, 0)
      record.insertManaged("steps", b, 0)
      #expect(record.steps == [b, a])
      record.insertManaged("steps", [c, d], NSIndexSet(indexSet: IndexSet([0, 2])))
      #expect(record.steps == [c, b, d, a])
      record.removeManaged("steps", at: 1)
      #expect(record.steps == [c, d, a])
      #expect(b.recordOfSteps == nil && c.recordOfSteps === record)
      record.replaceManaged("steps", 0, b)
      #expect(record.steps == [b, d, a])
      record.replaceManaged("steps", IndexSet([0, 1]), [d, c] as NSArray)
      #expect(record.steps == [d, c, a])
      record.removeManaged("steps", at: IndexSet([0, 2]))
      #expect(record.steps == [c])
    }
  }

  @Test func `a mutable set changes its relationship`() {
    withParts { record, parts in
      let set = record.mutableSetValue(forKey: "parts")
      #expect(set.count == 0)
      set.add(parts[0])
      set.addObjects(from: [parts[1], parts[2]])
      #expect(record.parts == Set(parts[0...2]))
      #expect(set.count == 3 && set.contains(parts[1]) && !set.contains(parts[3]))
      #expect(parts[1].recordOfParts === record)
      set.remove(parts[1])
      #expect(record.parts == [parts[0], parts[2]])
      #expect(Set(set.allObjects.compactMap { $0 as? Part }) == [parts[0], parts[2]])
      // The set also shows changes made without it.
      record.addManaged("parts", parts[3])
      #expect(set.count == 3 && set.contains(parts[3]))
      set.removeAllObjects()
      #expect(record.parts == [])
    }
  }

  @Test func `a mutable ordered set changes its relationship`() {
    withParts { record, parts in
      let set = record.mutableOrderedSetValue(forKey: "steps")
      set.insert(parts[0], at: 0)
      set.insert(parts[1], at: 0)
      set.insert(parts[2], at: 2)
      #expect(record.steps == [parts[1], parts[0], parts[2]])
      #expect(set.count == 3 && set.index(of: parts[0]) == 1)
      #expect(set.object(at: 2) as? Part == parts[2])
      set.replaceObject(at: 1, with: parts[3])
      set.removeObject(at: 0)
      #expect(record.steps == [parts[3], parts[2]])
      #expect(parts[3].recordOfSteps === record && parts[0].recordOfSteps == nil)
      set.add(parts[1])
      set.remove(parts[3])
      #expect(record.steps == [parts[2], parts[1]])
      #expect(set.contains(parts[1]) && !set.contains(parts[3]))
      set.removeAllObjects()
      #expect(record.steps == [])
    }
  }
}
